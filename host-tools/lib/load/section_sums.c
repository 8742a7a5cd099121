/* SPDX-License-Identifier: BSD-2-Clause */
/* section_sums.c - copies the first profile of each image, and adds the other profiles of that image to the copy. */
#include "section_sums.h"
#include "count.h"
#include "raw_open.h"
#include "raw_weak_duplicates.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool section_sum_possible(const struct raw_profile *profile)
{
	return profile->records && !profile->has_sites && profile->counter_size == 8 &&
	       !(profile->version_word & BAREPROF_VARIANT_TEMPORAL) && !profile->section[BAREPROF_VTAB].size;
}

/* Compares the header words that do not depend on the addresses at which the program ran. */
static bool same_header(const struct raw_profile *a, const struct raw_profile *b)
{
	static const unsigned int words[] = {BAREPROF_HEADER_VERSION, BAREPROF_HEADER_NUM_DATA,
		BAREPROF_HEADER_NUM_COUNTERS, BAREPROF_HEADER_NUM_BITMAP_BYTES, BAREPROF_HEADER_COUNTERS_DELTA};
	size_t i;

	if (a->width != b->width || a->big != b->big)
		return false;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (a->header[words[i]] != b->header[words[i]])
			return false;
	/*
	 * The header has the distance from the records to the bitmaps. In a profile without
	 * bitmaps, the address of the bitmaps is 0. Then this distance depends on the address of
	 * the records, so it is not compared.
	 */
	return !a->header[BAREPROF_HEADER_NUM_BITMAP_BYTES] ||
	       a->header[BAREPROF_HEADER_BITMAP_DELTA] == b->header[BAREPROF_HEADER_BITMAP_DELTA];
}

struct section_sum *section_sums_find(struct section_sums *sums, const struct raw_profile *profile)
{
	size_t i;

	for (i = 0; i < SECTION_SUMS_MAX; i++) {
		struct section_sum *image = &sums->image[i];
		const struct raw_profile *known = &image->profile;

		if (image->file.size && same_header(known, profile) &&
			bytes_equal(known->section[BAREPROF_BUILD_ID], profile->section[BAREPROF_BUILD_ID]) &&
			bytes_equal(known->section[BAREPROF_NAMES], profile->section[BAREPROF_NAMES]) &&
			bytes_equal(raw_stored_records(known), raw_stored_records(profile))) {
			image->used = ++sums->clock;
			return image;
		}
	}
	return NULL;
}

static bool add_counters(uint8_t *sum, struct bytes counters, uint64_t weight, bool big)
{
	bool overflow = false;
	size_t i;

	/* Most profiles are little-endian and have the weight 1. A separate loop makes this case fast. */
	if (weight == 1 && !big) {
		for (i = 0; i + 8 <= counters.size; i += 8)
			store_uint(sum + i,
				count_add(load_uint(sum + i, 8, false), load_uint(counters.data + i, 8, false),
					&overflow),
				8, false);
		return overflow;
	}
	for (i = 0; i + 8 <= counters.size; i += 8) {
		uint64_t count = count_scale(load_uint(counters.data + i, 8, big), weight, &overflow);

		store_uint(sum + i, count_add(load_uint(sum + i, 8, big), count, &overflow), 8, big);
	}
	return overflow;
}

/* Returns the address of @bytes, a slice of image->file, as a pointer that allows writing. */
static uint8_t *writable(struct section_sum *image, struct bytes bytes)
{
	return image->file.data + (bytes.data - image->file.data);
}

void section_sum_add(struct section_sum *image, const struct raw_profile *profile, uint64_t weight)
{
	struct bytes counters = image->profile.section[BAREPROF_CNTS];
	struct bytes bits = image->profile.section[BAREPROF_BITS];
	uint8_t *bitmap = writable(image, bits);
	size_t i;

	assert(profile->section[BAREPROF_CNTS].size == counters.size);
	assert(profile->section[BAREPROF_BITS].size == bits.size);
	if (add_counters(writable(image, counters), profile->section[BAREPROF_CNTS], weight, profile->big))
		image->overflow = true;
	for (i = 0; i < bits.size; i++)
		bitmap[i] |= profile->section[BAREPROF_BITS].data[i];
}

void section_sums_start(struct section_sums *sums, const struct raw_profile *profile, struct bytes file,
	uint64_t weight, struct section_sum *old)
{
	struct section_sum *image = &sums->image[0];
	struct bytes counters;
	struct error unused;
	size_t i;

	for (i = 1; i < SECTION_SUMS_MAX; i++)
		if (sums->image[i].used < image->used)
			image = &sums->image[i];
	*old = *image;
	*image = (struct section_sum){.used = ++sums->clock};
	buffer_add(&image->file, file.data + profile->offset, profile->end - profile->offset);
	/* raw_open() cannot fail here, because the same bytes were opened before. */
	raw_open(&image->profile, (struct bytes){image->file.data, image->file.size}, 0, &unused);
	counters = image->profile.section[BAREPROF_CNTS];
	for (i = 0; weight != 1 && i + 8 <= counters.size; i += 8)
		store_uint(writable(image, counters) + i,
			count_scale(load_uint(counters.data + i, 8, profile->big), weight, &image->overflow), 8,
			profile->big);
}

void section_sum_free(struct section_sum *image)
{
	raw_close(&image->profile);
	buffer_free(&image->file);
}
