/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * section_sums.h - raw profiles of one image, added up as whole sections.
 *
 * A build is run many times, and all its profiles have the same records and
 * names. The first profile of an image is kept; the counters of the next ones
 * are added to its counters, without a look at single functions, and only at
 * the end does the sum go to the model.
 */
#ifndef BAREPROF_HOST_SECTION_SUMS_H
#define BAREPROF_HOST_SECTION_SUMS_H

#include "model.h"
#include "names.h"
#include "raw_profile.h"

/* So many images at once; the one that was not used for longest makes room. */
#define SECTION_SUMS_MAX 4

/* The sums of one image, in the form of a raw profile of its byte order. Ends with section_sum_free(). */
struct section_sum {
	struct buffer file;
	struct raw_profile profile; /* views of file */
	uint64_t used; /* when last */
	bool overflow;
};

/* Starts as all zeros, ends with raw_read_end(). */
struct section_sums {
	struct section_sum image[SECTION_SUMS_MAX];
	uint64_t clock;
	/* For profiles that are added function by function: the names of the one before, which as a rule are theirs. */
	struct buffer names_section;
	struct names names;
};

/*
 * section_sums_find - the image that @profile is of, or NULL: the same records, names
 * and kind. raw_sections() is enough for @profile to be compared.
 */
struct section_sum *section_sums_find(struct section_sums *sums, const struct raw_profile *profile);

/* section_sum_add - add the counters and bitmaps of @profile, which is of @image. */
void section_sum_add(struct section_sum *image, const struct raw_profile *profile, uint64_t weight);

/*
 * section_sum_possible - can profiles such as @profile be summed as whole sections at all? Not with
 * values or timestamps, which belong to single functions.
 */
bool section_sum_possible(const struct raw_profile *profile);

/*
 * section_sums_start - keep a copy of @profile, which raw_open() found in @file, as a new
 * image. One that had to make room is moved to *@old, for the caller to add to
 * the model and to free it; else that is empty.
 */
void section_sums_start(struct section_sums *sums, const struct raw_profile *profile, struct bytes file,
	uint64_t weight, struct section_sum *old);

void section_sum_free(struct section_sum *image);

#endif
