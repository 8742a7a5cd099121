/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_doubles.c - a copy of the records, in which pointers are put right.
 */
#include "raw_weak_duplicates.h"

#include <stdlib.h>

static bool read_claims(const struct raw_profile *profile, struct claim *claims)
{
	/* The timestamp of a temporal profile is a part of its function's counters. */
	struct raw_profile plain = *profile;
	struct raw_function function;
	struct error unused;
	unsigned int kind;
	uint64_t i;

	plain.version_word &= ~BAREPROF_VARIANT_TEMPORAL;
	for (i = 0; i < plain.records; i++) {
		if (raw_function(&plain, i, &function, &unused) != STATUS_OK)
			return false;
		claims[i] = (struct claim){.name = function.name,
			.counters = {(uint64_t)(function.counters.data - plain.section[BAREPROF_CNTS].data),
				function.counters.size}};
		if (function.bitmap.size)
			claims[i].bitmap =
				(struct extent){(uint64_t)(function.bitmap.data - plain.section[BAREPROF_BITS].data),
					function.bitmap.size};
		for (kind = 0; kind < RAW_VALUE_KINDS; kind++)
			claims[i].sites += function.value_sites[kind];
	}
	return true;
}

/* From version 8 on pointers count from their record; all are modulo their width. */
static void mend(const struct raw_profile *profile, const struct own *own, uint8_t *records)
{
	unsigned int v = profile->version;
	unsigned int w = profile->width;
	uint64_t at = own->index * profile->record_size;
	uint64_t here = BAREPROF_RECORD_RELATIVE(v) ? at : 0;
	uint8_t *record = records + at;

	store(record + BAREPROF_RECORD_COUNTER_PTR,
		own->counters + profile->header[BAREPROF_HEADER_COUNTERS_DELTA] - here, w, profile->big);
	if (BAREPROF_RECORD_BITMAP_BYTES(v, w) && load(record + BAREPROF_RECORD_BITMAP_BYTES(v, w), 4, profile->big))
		store(record + BAREPROF_RECORD_BITMAP_PTR(v, w),
			own->bitmap + profile->header[BAREPROF_HEADER_BITMAP_DELTA] - here, w, profile->big);
}

bool raw_separate(struct raw_profile *profile)
{
	struct bytes *records = &profile->section[BAREPROF_DATA];
	struct claim *claims = allocate((size_t)profile->records, sizeof(*claims));
	struct raw_doubles *found;
	struct doubles doubles = {0};
	size_t i;

	if (read_claims(profile, claims))
		doubles_find(&doubles, claims, (size_t)profile->records, profile->section[BAREPROF_CNTS].size,
			profile->section[BAREPROF_BITS].size);
	free(claims);
	if (!doubles.count)
		return false;
	found = allocate(1, sizeof(*found));
	*found = (struct raw_doubles){.doubles = doubles, .stored = *records};
	buffer_add(&found->records, records->data, records->size);
	for (i = 0; i < doubles.count; i++)
		mend(profile, &doubles.list[i], found->records.data);
	*records = (struct bytes){found->records.data, found->records.size};
	profile->doubles = found;
	return true;
}

struct bytes raw_stored(const struct raw_profile *profile)
{
	return profile->doubles ? profile->doubles->stored : profile->section[BAREPROF_DATA];
}

void raw_weak_duplicates_free(struct raw_profile *profile)
{
	struct raw_doubles *doubles = profile->doubles;

	if (!doubles)
		return;
	profile->section[BAREPROF_DATA] = doubles->stored;
	profile->doubles = NULL;
	doubles_free(&doubles->doubles);
	buffer_free(&doubles->records);
	free(doubles);
}
