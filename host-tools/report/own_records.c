/* SPDX-License-Identifier: BSD-2-Clause */
/* own_records.c - reads the name hashes and structural hashes of a program's records. */
#include "own_records.h"

#include <stdlib.h>

static int compare_keys(const void *left, const void *right)
{
	const struct model_key *a = left;
	const struct model_key *b = right;
	int order = compare_uint(a->reference, b->reference);

	return order ? order : compare_uint(a->hash, b->hash);
}

void own_records_read(struct own_records *records, struct programs *programs, const char *path)
{
	const struct record_table *table;
	struct program *program;
	struct error unused;
	size_t i;

	if (records->read)
		return;
	records->read = true;
	if (!programs->count && programs_elf(programs, path, &unused) != STATUS_OK)
		return;
	program = programs->list[0];
	if (program_records(program, program->declared & ~BAREPROF_VERSION_NUMBER, &table, &unused) != STATUS_OK)
		return;
	records->known = true;
	records->list = allocate(table->count, sizeof(*records->list));
	for (i = 0; i < table->count; i++)
		records->list[records->count++] =
			(struct model_key){table->functions[i].name, table->functions[i].hash};
	if (records->count)
		qsort(records->list, records->count, sizeof(*records->list), compare_keys);
}

void own_records_free(struct own_records *records)
{
	free(records->list);
	*records = (struct own_records){0};
}

bool own_records_have_name(const struct own_records *records, uint64_t name)
{
	struct model_key key = {name, 0};
	size_t at = lower_bound(&key, records->list, records->count, sizeof(key), compare_keys);

	return at < records->count && records->list[at].reference == name;
}

bool own_records_have(const struct own_records *records, uint64_t name, uint64_t hash)
{
	struct model_key key = {name, hash};
	size_t at = lower_bound(&key, records->list, records->count, sizeof(key), compare_keys);

	return at < records->count && !compare_keys(&records->list[at], &key);
}
