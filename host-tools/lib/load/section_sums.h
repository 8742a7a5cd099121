/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * section_sums.h - adds up raw profiles of one image as whole sections.
 *
 * A build is run many times, and all its profiles have the same records and names. A copy of the
 * first profile of an image is kept. The counters of the following profiles are added to the
 * counters of this copy without a look at single functions, and only the sum is added to the
 * model at the end.
 */
#ifndef BAREPROF_HOST_SECTION_SUMS_H
#define BAREPROF_HOST_SECTION_SUMS_H

#include "model.h"
#include "names.h"
#include "raw_profile.h"

/* At most this many images have a sum at a time. To start one more, the least recently used sum is ended. */
#define SECTION_SUMS_MAX 4

/* The sum of one image, stored as a raw profile in the byte order of the image. Ends with section_sum_free(). */
struct section_sum {
	struct buffer file;
	struct raw_profile profile; /* its slices point into @file */
	uint64_t used; /* value of the clock at the last use */
	bool overflow; /* a count reached COUNT_MAX */
};

/* Starts as all zeros, ends with raw_read_end(). */
struct section_sums {
	struct section_sum image[SECTION_SUMS_MAX];
	uint64_t clock;
	/* Names of the last profile that was added function by function. The next profile usually has the same names. */
	struct buffer names_section;
	struct names names;
};

/*
 * section_sums_find - returns the sum of the image of @profile, or NULL. The sum and @profile
 * have the same records, names and kind. @profile comes from raw_sections() or raw_open().
 */
struct section_sum *section_sums_find(struct section_sums *sums, const struct raw_profile *profile);

/* section_sum_add - adds the counters and bitmaps of @profile, @weight times, to @image, the sum of its image. */
void section_sum_add(struct section_sum *image, const struct raw_profile *profile, uint64_t weight);

/*
 * section_sum_possible - returns whether profiles such as @profile can be added up as whole
 * sections. Those with values or timestamps cannot, because these belong to single functions.
 */
bool section_sum_possible(const struct raw_profile *profile);

/*
 * section_sums_start - starts a sum with a copy of @profile, which raw_open() found in @file.
 * *@old becomes the sum that had to make room, or is empty. The caller adds *@old to the model
 * and frees it.
 */
void section_sums_start(struct section_sums *sums, const struct raw_profile *profile, struct bytes file,
	uint64_t weight, struct section_sum *old);

void section_sum_free(struct section_sum *image);

#endif
