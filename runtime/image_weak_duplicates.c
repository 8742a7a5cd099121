/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_weak_duplicates.c - makes the records of weak duplicates point to their own
 * counters again.
 *
 * Records and counters have the same order: the own counters of each record start where the
 * own counters of the previous record end. But the record of a weak duplicate points to the
 * counters of the prevailing definition. The prevailing definition has a record with the
 * same name, which points to its own counters.
 */
#include "values_serialize.h"
#include "image_walk.h"

#define WIDTH ((unsigned int)sizeof(uintptr_t))

/* Offsets within the sections, in bytes. */
struct section_offsets {
	size_t counters;
	size_t bitmap;
	size_t heads; /* offset in the section of list heads (values) */
};

/* Moves @own past the own counters, bitmap and list heads of the record at @at. */
static void skip_own(
	struct section_offsets *own, const struct bareprof_record_layout *layout, unsigned int shift, const uint8_t *at)
{
	const bareprof_sites *sites = (const bareprof_sites *)(at + layout->num_counters + 4);

	own->counters += (size_t) * (const any_u32 *)(at + layout->num_counters) << shift;
	if (layout->bitmap_ptr)
		own->bitmap += *(const any_u32 *)(at + layout->bitmap_bytes);
	own->heads += ((size_t)sites[0] + sites[1] + (layout->version >= BAREPROF_RAW_V10 ? sites[2] : 0)) * WIDTH;
}

static uintptr_t base_of(const struct bareprof_record_layout *layout, const uint8_t *at)
{
	return BAREPROF_RECORD_RELATIVE(layout->version) ? (uintptr_t)at : 0;
}

/* Returns the offset of the counters that the record at @at points to. */
static size_t claimed_counters(
	const struct bareprof_image *image, const struct bareprof_record_layout *layout, const uint8_t *at)
{
	return base_of(layout, at) + *(const any_ptr *)(at + BAREPROF_RECORD_COUNTER_PTR) -
	       (uintptr_t)image->section[BAREPROF_CNTS].start;
}

/*
 * Returns non-zero if the record at @at points to the counters of another record. This
 * other record must have the same name and point to its own counters.
 */
static int is_weak_duplicate(
	const struct bareprof_image *image, const struct bareprof_record_layout *layout, const uint8_t *at)
{
	const uint8_t *other = image->section[BAREPROF_DATA].start;
	const uint8_t *end = other + image->section[BAREPROF_DATA].size;
	size_t counters = claimed_counters(image, layout, at);
	struct section_offsets own = {0, 0, 0};

	for (; other < end && own.counters <= counters; other += (layout->end + 7u) & ~7u) {
		if (own.counters == counters && claimed_counters(image, layout, other) == counters &&
			*(const any_u64 *)other == *(const any_u64 *)at)
			return 1;
		skip_own(&own, layout, (unsigned int)image->shift, other);
	}
	return 0;
}

/*
 * Makes the pointer at @at, which is relative to @base, point to @offset in @section.
 * Returns 0 if the pointer cannot be written.
 */
static int set_pointer(const struct bareprof_slice *section, size_t offset, uintptr_t base, const uint8_t *at)
{
	volatile any_ptr *pointer = (volatile any_ptr *)(uintptr_t)at;
	uintptr_t value = (uintptr_t)section->start + offset - base;

	*pointer = value;
	return *pointer == value;
}

/*
 * Makes the record at @at point to its own counters, bitmap and list heads. Returns 0 if
 * the record cannot be written.
 */
static int fix_record(const struct bareprof_image *image, const struct bareprof_record_layout *layout,
	const uint8_t *at, const struct section_offsets *own)
{
	const struct bareprof_slice *s = image->section;
	uintptr_t base = base_of(layout, at);

	if (!set_pointer(&s[BAREPROF_CNTS], own->counters, base, at + BAREPROF_RECORD_COUNTER_PTR))
		return 0;
	if (layout->bitmap_ptr && *(const any_u32 *)(at + layout->bitmap_bytes))
		set_pointer(&s[BAREPROF_BITS], own->bitmap, base, at + layout->bitmap_ptr);
	/* The pointer to the list heads is the last pointer of the record. */
	if (BAREPROF_SERVES_VALUES && s[BAREPROF_VALS].size)
		set_pointer(&s[BAREPROF_VALS], own->heads, 0, at + layout->num_counters - WIDTH);
	return 1;
}

/*
 * Returns the number of records that are weak duplicates, or 0 if the records have a fault
 * that weak duplicates do not explain. If @write is not 0, makes these records point to their
 * own counters. Errors: READ_ONLY.
 */
static int fix_duplicates(const struct bareprof_image *image, const struct bareprof_record_layout *layout, int write)
{
	const struct bareprof_slice *s = image->section;
	const uint8_t *at = s[BAREPROF_DATA].start;
	const uint8_t *end = at + s[BAREPROF_DATA].size;
	struct section_offsets own = {0, 0, 0};
	int n = 0;

	for (; at < end; at += (layout->end + 7u) & ~7u) {
		if (claimed_counters(image, layout, at) != own.counters) {
			if (!is_weak_duplicate(image, layout, at))
				return 0;
			if (write && !fix_record(image, layout, at, &own))
				return BAREPROF_E_READ_ONLY;
			n++;
		}
		skip_own(&own, layout, (unsigned int)image->shift, at);
		BAREPROF_YIELD();
	}
	if (own.counters != s[BAREPROF_CNTS].size || own.bitmap != s[BAREPROF_BITS].size)
		return 0;
	if (BAREPROF_SERVES_VALUES && s[BAREPROF_VALS].size && own.heads != s[BAREPROF_VALS].size)
		return 0;
	return n;
}

int bareprof_fix_weak_duplicates(struct bareprof_image *image)
{
	const struct bareprof_slice *data = &image->section[BAREPROF_DATA];
	const uint8_t *begin = data->start;
	const struct bareprof_record_layout *layout;

	for (layout = bareprof_layouts; layout < bareprof_layouts + BAREPROF_LAYOUTS; layout++)
		if (bareprof_walk(image, layout, begin) == begin + data->size && fix_duplicates(image, layout, 0))
			return fix_duplicates(image, layout, 1);
	return BAREPROF_E_OVERLAP;
}
