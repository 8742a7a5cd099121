/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_weak_duplicates.h - a raw profile with functions that are defined weak more than once:
 * records that give the duplicates among them what is their own (weak_duplicates.h).
 */
#ifndef BAREPROF_HOST_RAW_WEAK_DUPLICATES_H
#define BAREPROF_HOST_RAW_WEAK_DUPLICATES_H

#include "weak_duplicates.h"
#include "raw_profile.h"

/* What raw_profile.weak_duplicates points to, until raw_close(). */
struct raw_weak_duplicates {
	struct weak_duplicates duplicates;
	struct bytes stored; /* the records as the file has them */
	struct buffer records; /* and as they are read */
};

/*
 * raw_fix_weak_duplicates - are duplicates all that is wrong with @profile, whose records are sound
 * by themselves? Then its records become some without, else all is as it was.
 */
bool raw_fix_weak_duplicates(struct raw_profile *profile);

/* raw_weak_duplicates_free - the records are as the file has them again. */
void raw_weak_duplicates_free(struct raw_profile *profile);

/* raw_is_weak_duplicate - was record @index one, so that values that the file has of it are another's? */
static inline bool raw_is_weak_duplicate(const struct raw_profile *profile, uint64_t index)
{
	return profile->weak_duplicates && weak_duplicates_get(&profile->weak_duplicates->duplicates, index);
}

/* raw_stored_records - the records as the file has them. */
struct bytes raw_stored_records(const struct raw_profile *profile);

#endif
