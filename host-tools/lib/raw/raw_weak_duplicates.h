/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_doubles.h - a raw profile with functions that are defined weak more than once:
 * records that give the doubles among them what is their own (doubles.h).
 */
#ifndef BAREPROF_HOST_RAW_DOUBLES_H
#define BAREPROF_HOST_RAW_DOUBLES_H

#include "weak_duplicates.h"
#include "raw_profile.h"

/* What raw_profile.doubles points to, until raw_close(). */
struct raw_doubles {
	struct doubles doubles;
	struct bytes stored; /* the records as the file has them */
	struct buffer records; /* and as they are read */
};

/*
 * raw_separate - are doubles all that is wrong with @profile, whose records are sound
 * by themselves? Then its records become some without, else all is as it was.
 */
bool raw_separate(struct raw_profile *profile);

/* raw_weak_duplicates_free - the records are as the file has them again. */
void raw_weak_duplicates_free(struct raw_profile *profile);

/* raw_is_double - was record @index one, so that values that the file has of it are another's? */
static inline bool raw_is_double(const struct raw_profile *profile, uint64_t index)
{
	return profile->doubles && doubles_own(&profile->doubles->doubles, index);
}

/* raw_stored - the records as the file has them. */
struct bytes raw_stored(const struct raw_profile *profile);

#endif
