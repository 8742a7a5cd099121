/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_weak_duplicates.h - corrects a raw profile with weak duplicates (weak_duplicates.h), so that
 * each record points to its own counters and bitmap.
 */
#ifndef BAREPROF_HOST_RAW_WEAK_DUPLICATES_H
#define BAREPROF_HOST_RAW_WEAK_DUPLICATES_H

#include "weak_duplicates.h"
#include "raw_profile.h"

/* The weak duplicates of a profile. profile->weak_duplicates points to this struct until raw_close(). */
struct raw_weak_duplicates {
	struct weak_duplicates duplicates;
	struct bytes stored; /* the records of the file */
	struct buffer records; /* the corrected copy, which is read instead */
};

/*
 * raw_fix_weak_duplicates - corrects the records of @profile if weak duplicates explain all
 * overlaps of its records, and returns whether they do. Otherwise @profile is unchanged. Each
 * record must have been checked on its own before.
 */
bool raw_fix_weak_duplicates(struct raw_profile *profile);

/* raw_weak_duplicates_free - frees the corrected copy. @profile has the records of the file again. */
void raw_weak_duplicates_free(struct raw_profile *profile);

/*
 * raw_is_weak_duplicate - returns whether record @index is a weak duplicate. The values that the
 * file has for such a record belong to another record.
 */
static inline bool raw_is_weak_duplicate(const struct raw_profile *profile, uint64_t index)
{
	return profile->weak_duplicates && weak_duplicates_get(&profile->weak_duplicates->duplicates, index);
}

/* raw_stored_records - returns the records of the file, without corrections. */
struct bytes raw_stored_records(const struct raw_profile *profile);

#endif
