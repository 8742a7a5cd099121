/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * totals.c - computes the totals of a profile in one pass, from a model or from a raw profile.
 */
#include "totals.h"
#include "names.h"
#include "raw_open.h"

#include <stdlib.h>

/* While record N is counted, the slot of record N + AHEAD in the hash table is prefetched. */
#define AHEAD 16u

static void add_count(struct totals *totals, uint64_t count, bool *run)
{
	totals->counters_run += count != 0;
	*run = *run || count;
	if (count > totals->highest)
		totals->highest = count;
	totals->sum = add_saturating(totals->sum, count);
}

void totals_of_model(struct totals *totals, const struct model *model)
{
	unsigned int kind;
	size_t i;
	uint32_t j;

	*totals = (struct totals){.functions = model->count, .hashes = hashes_of(model)};
	for (i = 0; i < model->count; i++) {
		const struct function *function = &model->functions[i];
		bool run = false;

		for (j = 0; j < function->counter_count; j++)
			add_count(totals, function->counters[j], &run);
		totals->counters += function->counter_count;
		totals->functions_run += run;
		totals->bitmap_bytes += function->bitmap_size;
		for (kind = 0; function->sites && kind < PROFILE_KINDS; kind++)
			totals->sites[kind] += function->sites->count[kind];
	}
}

/*
 * A hash table of the names seen so far. It stores half of each name hash. The name hash needs no further hashing,
 * because it is a part of an MD5. In about one of 10,000 large profiles, two names have equal halves. Such a profile is
 * counted with a model instead.
 */
struct seen {
	uint32_t *slot; /* halves of name hashes; 0: the slot is free */
	size_t size; /* number of slots, a power of two */
};

/* Prefetches the slot of record @index into the cache, if there is such a record. */
static void fetch_seen(const struct seen *seen, const struct raw_profile *profile, uint64_t index)
{
	const uint8_t *record = profile->section[BAREPROF_DATA].data + index * profile->record_size;

	if (index < profile->records)
		__builtin_prefetch(
			&seen->slot[load_uint(record + BAREPROF_RECORD_NAME_REF, 8, profile->big) & (seen->size - 1)]);
}

/* Adds the name hash @reference. Returns false if the table may already have it. */
static bool add_seen(struct seen *seen, uint64_t reference)
{
	uint32_t half = (uint32_t)(reference >> 32) | 1;
	uint32_t *slot;
	size_t at;

	for (at = (size_t)reference;; at++) {
		slot = &seen->slot[at & (seen->size - 1)];
		if (*slot == half)
			return false;
		if (!*slot)
			break;
	}
	*slot = half;
	return true;
}

/* The state of counting a raw profile. */
struct raw_count {
	struct totals *totals;
	const struct raw_profile *profile;
	struct names names;
	size_t names_at;
	struct seen seen;
	struct hash_clues clues;
	bool repeated;
};

static enum status count_record(void *context, uint64_t index, const struct raw_function *function, struct error *error)
{
	struct raw_count *count = context;
	struct totals *totals = count->totals;
	const struct name *name;
	bool run = false;
	unsigned int kind;
	size_t i;

	fetch_seen(&count->seen, count->profile, index + AHEAD);
	name = names_near(&count->names, function->name, &count->names_at);
	if (!name)
		return raw_no_name(function, index, error);
	count->repeated = !add_seen(&count->seen, function->name) || count->repeated;
	hashes_clue(&count->clues, name->text, function->hash);
	for (i = 0; i < function->counter_count; i++)
		add_count(totals, raw_counter(count->profile, function, i), &run);
	totals->functions_run += run;
	totals->counters += function->counter_count;
	totals->bitmap_bytes += function->bitmap.size;
	for (kind = 0; kind < PROFILE_KINDS; kind++)
		totals->sites[kind] += function->value_sites[kind];
	return STATUS_OK;
}

enum status totals_of_raw(struct totals *totals, struct raw_profile *profile, struct bytes file, size_t offset,
	bool *certain, struct error *error)
{
	struct raw_count count = {.totals = totals, .profile = profile, .seen = {.size = 64}};
	enum status status = raw_sections(profile, file, offset, error);

	*totals = (struct totals){0};
	if (status == STATUS_OK)
		status = names_unpack(&count.names, profile->section[BAREPROF_NAMES], error);
	if (status == STATUS_OK) {
		while (count.seen.size < profile->records * 2)
			count.seen.size *= 2;
		count.seen.slot = allocate(count.seen.size, sizeof(*count.seen.slot));
		status = raw_records(profile, count_record, &count, error);
	}
	if (status == STATUS_OK)
		status = raw_finish(profile, file, error);
	totals->functions = profile->records;
	totals->hashes = hashes_tell(&count.clues, profile->version_word);
	*certain = !count.repeated;
	free(count.seen.slot);
	names_free(&count.names);
	return status;
}
