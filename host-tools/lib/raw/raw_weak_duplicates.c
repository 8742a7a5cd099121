/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_weak_duplicates.c - makes a copy of the records in which the pointers of weak duplicates are
 * corrected.
 */
#include "raw_weak_duplicates.h"

#include <stdlib.h>

static bool read_extents(const struct raw_profile *profile, struct record_extents *extents)
{
	/*
	 * In temporal profiles, the extent of a record's counters begins with the timestamp. This copy of the profile
	 * lacks the temporal bit, so raw_function() does not remove the timestamp from the counters.
	 */
	struct raw_profile plain = *profile;
	struct raw_function function;
	struct error unused;
	unsigned int kind;
	uint64_t i;

	plain.version_word &= ~BAREPROF_VARIANT_TEMPORAL;
	for (i = 0; i < plain.records; i++) {
		if (raw_function(&plain, i, &function, &unused) != STATUS_OK)
			return false;
		extents[i] = (struct record_extents){.name = function.name,
			.counters = {(uint64_t)(function.counters.data - plain.section[BAREPROF_CNTS].data),
				function.counters.size}};
		if (function.bitmap.size)
			extents[i].bitmap =
				(struct extent){(uint64_t)(function.bitmap.data - plain.section[BAREPROF_BITS].data),
					function.bitmap.size};
		for (kind = 0; kind < RAW_VALUE_KINDS; kind++)
			extents[i].sites += function.value_sites[kind];
	}
	return true;
}

/*
 * Makes the record of a weak duplicate point to its own counters and bitmap. From version 8 on, a
 * pointer is relative to its record.
 */
static void point_to_own(const struct raw_profile *profile, const struct weak_duplicate *own, uint8_t *records)
{
	unsigned int v = profile->version;
	unsigned int w = profile->width;
	uint64_t at = own->index * profile->record_size;
	uint64_t here = BAREPROF_RECORD_RELATIVE(v) ? at : 0;
	uint8_t *record = records + at;

	store_uint(record + BAREPROF_RECORD_COUNTER_PTR,
		own->counters + profile->header[BAREPROF_HEADER_COUNTERS_DELTA] - here, w, profile->big);
	if (BAREPROF_RECORD_BITMAP_BYTES(v, w) &&
		load_uint(record + BAREPROF_RECORD_BITMAP_BYTES(v, w), 4, profile->big))
		store_uint(record + BAREPROF_RECORD_BITMAP_PTR(v, w),
			own->bitmap + profile->header[BAREPROF_HEADER_BITMAP_DELTA] - here, w, profile->big);
}

bool raw_fix_weak_duplicates(struct raw_profile *profile)
{
	struct bytes *records = &profile->section[BAREPROF_DATA];
	struct record_extents *extents = allocate((size_t)profile->records, sizeof(*extents));
	struct raw_weak_duplicates *found;
	struct weak_duplicates duplicates = {0};
	size_t i;

	if (read_extents(profile, extents))
		weak_duplicates_find(&duplicates, extents, (size_t)profile->records,
			profile->section[BAREPROF_CNTS].size, profile->section[BAREPROF_BITS].size);
	free(extents);
	if (!duplicates.count)
		return false;
	found = allocate(1, sizeof(*found));
	*found = (struct raw_weak_duplicates){.duplicates = duplicates, .stored = *records};
	buffer_add(&found->records, records->data, records->size);
	for (i = 0; i < duplicates.count; i++)
		point_to_own(profile, &duplicates.list[i], found->records.data);
	*records = (struct bytes){found->records.data, found->records.size};
	profile->weak_duplicates = found;
	return true;
}

struct bytes raw_stored_records(const struct raw_profile *profile)
{
	return profile->weak_duplicates ? profile->weak_duplicates->stored : profile->section[BAREPROF_DATA];
}

void raw_weak_duplicates_free(struct raw_profile *profile)
{
	struct raw_weak_duplicates *duplicates = profile->weak_duplicates;

	if (!duplicates)
		return;
	profile->section[BAREPROF_DATA] = duplicates->stored;
	profile->weak_duplicates = NULL;
	weak_duplicates_free(&duplicates->duplicates);
	buffer_free(&duplicates->records);
	free(duplicates);
}
