/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * section_sums.h - adds up the raw profiles of one image as whole sections. A build is usually run many times, and all
 * of its profiles have the same records and names. The first profile of an image is copied. The counters of each
 * further profile are added to the counters of this copy as a whole, not function by function. The sum is added to the
 * model only at the end.
 */
#ifndef BAREPROF_HOST_SECTION_SUMS_H
#define BAREPROF_HOST_SECTION_SUMS_H

#include "model.h"
#include "names.h"
#include "raw_profile.h"

/*
 * The maximum number of images that have a sum at the same time. If a further sum is started, the
 * sum whose last use was the longest ago is added to the model and freed.
 */
#define SECTION_SUMS_MAX 4

/*
 * The sum of one image. It has the form of a raw profile in the byte order of the image.
 * section_sum_free() frees it.
 */
struct section_sum {
	struct buffer file;
	struct raw_profile profile; /* @file as a profile; its slices point into @file */
	uint64_t used; /* value of section_sums.clock when the sum was last used */
	bool overflow; /* true: a count reached COUNT_MAX */
};

/* The sums of several images. Before their first use they are all zeros; raw_read_end() frees them. */
struct section_sums {
	struct section_sum image[SECTION_SUMS_MAX];
	uint64_t clock;
	/*
	 * The names section of the last profile that was added function by function, and the names
	 * in it. The next profile usually has the same names.
	 */
	struct buffer names_section;
	struct names names;
};

/*
 * section_sums_find - returns the sum of the image of @profile, or NULL if there is none. The image
 * is the same if the sum and @profile have equal records, names, build ids and variants. @profile
 * comes from raw_sections() or raw_open().
 */
struct section_sum *section_sums_find(struct section_sums *sums, const struct raw_profile *profile);

/*
 * section_sum_add - adds the counters and bitmaps of @profile to the sum @image. @profile must be a
 * profile of the same image as the sum. The counts are multiplied by @weight.
 */
void section_sum_add(struct section_sum *image, const struct raw_profile *profile, uint64_t weight);

/*
 * section_sum_possible - returns whether @profile can be added up as whole sections. This is not
 * possible for a profile with value sites or timestamps, because these belong to single functions.
 */
bool section_sum_possible(const struct raw_profile *profile);

/*
 * section_sums_start - starts a sum with a copy of @profile, which raw_open() found in @file. The counts are multiplied
 * by @weight. If another sum must be removed to make room, moves the removed sum to *@old. Otherwise *@old becomes
 * empty. The caller adds *@old to the model and frees *@old.
 */
void section_sums_start(struct section_sums *sums, const struct raw_profile *profile, struct bytes file,
	uint64_t weight, struct section_sum *old);

void section_sum_free(struct section_sum *image);

#endif
