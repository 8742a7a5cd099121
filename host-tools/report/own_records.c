/* SPDX-License-Identifier: BSD-2-Clause */
/* own_records.c - reads the name hashes and structural hashes of a program's records. */
#include "own_records.h"
#include "program.h"

#include <stdlib.h>

static int compare_keys(const void *left, const void *right)
{
	const struct model_key *a = left;
	const struct model_key *b = right;
	int order = compare_uint(a->reference, b->reference);

	return order ? order : compare_uint(a->hash, b->hash);
}

/* Reads the records without their names, which the program has in a compressed section. */
static void list_records(struct own_records *own, const struct program *program)
{
	struct records records = program_undetected(program, NULL, program->declared);
	struct record record;

	records_detect_layout(&records);
	own->known = records.count && records.state <= RECORDS_MORE;
	own->list = allocate(records.count, sizeof(*own->list));
	while (own->count < records.count && records_get(&records, records.version, own->count, &record))
		own->list[own->count++] = (struct model_key){record.name, record.hash};
	if (own->count)
		qsort(own->list, own->count, sizeof(*own->list), compare_keys);
	records_free(&records);
}

void own_records_read(struct own_records *records, const char *path)
{
	struct program program;
	struct error unused;

	if (records->read)
		return;
	records->read = true;
	if (program_open(&program, path, &unused) == STATUS_OK && program.section[BAREPROF_DATA].content.size)
		list_records(records, &program);
	/* The symbols of a kernel take much memory. */
	program_close(&program);
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
