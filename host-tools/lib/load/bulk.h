/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bulk.h - raw profiles of one image, added up as whole sections.
 *
 * A build is run many times, and all its profiles have the same records and
 * names. The first profile of an image is kept; the counters of the next ones
 * are added to its counters, without a look at single functions, and only at
 * the end does the sum go to the model.
 */
#ifndef BAREPROF_HOST_BULK_H
#define BAREPROF_HOST_BULK_H

#include "model.h"
#include "names.h"
#include "raw_profile.h"

/* So many images at once; the one that was not used for longest makes room. */
#define BULK_IMAGES 4

/* The sums of one image, in the form of a raw profile of its byte order. Ends with bulk_free(). */
struct bulk_image {
	struct buffer file;
	struct raw_profile profile; /* views of file */
	uint64_t used; /* when last */
	bool overflow;
};

/* Starts as all zeros, ends with raw_end(). */
struct bulk {
	struct bulk_image image[BULK_IMAGES];
	uint64_t clock;
	/* For profiles that are added function by function: the names of the one before, which as a rule are theirs. */
	struct buffer names_section;
	struct names names;
};

/*
 * bulk_match - the image that @profile is of, or NULL: the same records, names
 * and kind. raw_sections() is enough for @profile to be compared.
 */
struct bulk_image *bulk_match(struct bulk *bulk, const struct raw_profile *profile);

/* bulk_add - add the counters and bitmaps of @profile, which is of @image. */
void bulk_add(struct bulk_image *image, const struct raw_profile *profile, uint64_t weight);

/*
 * bulk_fits - can profiles such as @profile be added in bulk at all? Not with
 * values or timestamps, which belong to single functions.
 */
bool bulk_fits(const struct raw_profile *profile);

/*
 * bulk_start - keep a copy of @profile, which raw_open() found in @file, as a new
 * image. One that had to make room is moved to *@old, for the caller to add to
 * the model and to free it; else that is empty.
 */
void bulk_start(struct bulk *bulk, const struct raw_profile *profile, struct bytes file, uint64_t weight,
	struct bulk_image *old);

void bulk_free(struct bulk_image *image);

#endif
