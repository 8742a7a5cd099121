/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_weak_duplicates.h - corrects the records of a raw profile with weak duplicates
 * (weak_duplicates.h). Afterwards each record points to its own counters and bitmap.
 */
#ifndef BAREPROF_HOST_RAW_WEAK_DUPLICATES_H
#define BAREPROF_HOST_RAW_WEAK_DUPLICATES_H

#include "weak_duplicates.h"
#include "raw_profile.h"

/* The weak duplicates of a profile. profile->weak_duplicates points to this struct until raw_close() is called. */
struct raw_weak_duplicates {
	struct weak_duplicates duplicates;
	struct bytes stored; /* the records in the file */
	struct buffer records; /* a corrected copy of the records, which is used instead */
};

/*
 * raw_fix_weak_duplicates - returns whether all overlaps between the records of @profile come from weak duplicates. If
 * they do, corrects the records. Otherwise does not change @profile. The caller must have checked that the counters and
 * the bitmap of each record are inside their sections.
 */
bool raw_fix_weak_duplicates(struct raw_profile *profile);

/* raw_weak_duplicates_free - frees the corrected copy. Afterwards @profile uses the records in the file again. */
void raw_weak_duplicates_free(struct raw_profile *profile);

/*
 * raw_is_weak_duplicate - returns whether record @index is a weak duplicate. The value data that
 * the file has for a weak duplicate belongs to the prevailing definition.
 */
static inline bool raw_is_weak_duplicate(const struct raw_profile *profile, uint64_t index)
{
	return profile->weak_duplicates && weak_duplicates_get(&profile->weak_duplicates->duplicates, index);
}

/* raw_stored_records - returns the records in the file, without corrections. */
struct bytes raw_stored_records(const struct raw_profile *profile);

#endif
