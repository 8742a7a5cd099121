/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_weak_duplicates.c - records that share counters get their own ones back.
 *
 * Records lie as their counters do: those of each begin where those of the record before
 * it end. Of a definition that the linker did not take the record says those of the one
 * that it took, which has a record of the same name that lies as it should.
 */
#include "values_serialize.h"
#include "image_walk.h"

#define WIDTH ((unsigned int)sizeof(uintptr_t))

/* Where in its sections something lies, in bytes. */
struct place {
	size_t counters;
	size_t bitmap;
	size_t heads; /* of lists of values */
};

/* Go on behind what the record at @at has of its own. */
static void go_past(
	struct place *place, const struct bareprof_record_layout *row, unsigned int shift, const uint8_t *at)
{
	const bareprof_sites *sites = (const bareprof_sites *)(at + row->num_counters + 4);

	place->counters += (size_t) * (const any_u32 *)(at + row->num_counters) << shift;
	if (row->bitmap_ptr)
		place->bitmap += *(const any_u32 *)(at + row->bitmap_bytes);
	place->heads += ((size_t)sites[0] + sites[1] + (row->version >= BAREPROF_RAW_V10 ? sites[2] : 0)) * WIDTH;
}

static uintptr_t base_of(const struct bareprof_record_layout *row, const uint8_t *at)
{
	return BAREPROF_RECORD_RELATIVE(row->version) ? (uintptr_t)at : 0;
}

/* Where the record at @at says that its counters are. */
static size_t claimed(const struct bareprof_image *image, const struct bareprof_record_layout *row, const uint8_t *at)
{
	return base_of(row, at) + *(const any_ptr *)(at + BAREPROF_RECORD_COUNTER_PTR) -
	       (uintptr_t)image->section[BAREPROF_CNTS].start;
}

/* Are those of the record at @at another one's, of the same name, which lies as it should? */
static int is_double(const struct bareprof_image *image, const struct bareprof_record_layout *row, const uint8_t *at)
{
	const uint8_t *other = image->section[BAREPROF_DATA].start;
	const uint8_t *end = other + image->section[BAREPROF_DATA].size;
	size_t counters = claimed(image, row, at);
	struct place place = {0, 0, 0};

	for (; other < end && place.counters <= counters; other += (row->end + 7u) & ~7u) {
		if (place.counters == counters && claimed(image, row, other) == counters &&
			*(const any_u64 *)other == *(const any_u64 *)at)
			return 1;
		go_past(&place, row, (unsigned int)image->shift, other);
	}
	return 0;
}

/* Returns 0 if it cannot be written to. */
static int point_to(const struct bareprof_slice *section, size_t offset, uintptr_t base, const uint8_t *at)
{
	volatile any_ptr *pointer = (volatile any_ptr *)(uintptr_t)at;
	uintptr_t value = (uintptr_t)section->start + offset - base;

	*pointer = value;
	return *pointer == value;
}

static int mend(const struct bareprof_image *image, const struct bareprof_record_layout *row, const uint8_t *at,
	const struct place *place)
{
	const struct bareprof_slice *s = image->section;
	uintptr_t base = base_of(row, at);

	if (!point_to(&s[BAREPROF_CNTS], place->counters, base, at + BAREPROF_RECORD_COUNTER_PTR))
		return 0;
	if (row->bitmap_ptr && *(const any_u32 *)(at + row->bitmap_bytes))
		point_to(&s[BAREPROF_BITS], place->bitmap, base, at + row->bitmap_ptr);
	/* The last pointer. */
	if (BAREPROF_SERVES_VALUES && s[BAREPROF_VALS].size)
		point_to(&s[BAREPROF_VALS], place->heads, 0, at + row->num_counters - WIDTH);
	return 1;
}

/* How many records share counters, if that is all that is wrong, else 0; with @write they are mended. */
static int separate(const struct bareprof_image *image, const struct bareprof_record_layout *row, int write)
{
	const struct bareprof_slice *s = image->section;
	const uint8_t *at = s[BAREPROF_DATA].start;
	const uint8_t *end = at + s[BAREPROF_DATA].size;
	struct place place = {0, 0, 0};
	int n = 0;

	for (; at < end; at += (row->end + 7u) & ~7u) {
		if (claimed(image, row, at) != place.counters) {
			if (!is_double(image, row, at))
				return 0;
			if (write && !mend(image, row, at, &place))
				return BAREPROF_E_READ_ONLY;
			n++;
		}
		go_past(&place, row, (unsigned int)image->shift, at);
		BAREPROF_YIELD();
	}
	if (place.counters != s[BAREPROF_CNTS].size || place.bitmap != s[BAREPROF_BITS].size)
		return 0;
	if (BAREPROF_SERVES_VALUES && s[BAREPROF_VALS].size && place.heads != s[BAREPROF_VALS].size)
		return 0;
	return n;
}

int bareprof_fix_weak_duplicates(struct bareprof_image *image)
{
	const struct bareprof_slice *data = &image->section[BAREPROF_DATA];
	const uint8_t *begin = data->start;
	const struct bareprof_record_layout *row;

	for (row = bareprof_layouts; row < bareprof_layouts + BAREPROF_LAYOUTS; row++)
		if (bareprof_walk(image, row, begin) == begin + data->size && separate(image, row, 0))
			return separate(image, row, 1);
	return BAREPROF_E_OVERLAP;
}
