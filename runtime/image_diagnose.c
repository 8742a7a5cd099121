/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_diagnose.c - finds out why no record layout fits: the objects come from two
 * compilers, or a record is damaged.
 */
#include "image_walk.h"

int bareprof_diagnose(struct bareprof_image *image, uint32_t *record)
{
	const uint8_t *begin = image->section[BAREPROF_DATA].start;
	const uint8_t *furthest = begin; /* the first record that does not fit this layout */
	const uint8_t *at;
	uint32_t size = 8; /* size in bytes of a record in the layout that fits most records */
	const struct bareprof_record_layout *layout;

	for (layout = bareprof_layouts; layout < bareprof_layouts + BAREPROF_LAYOUTS; layout++) {
		const uint8_t *stop = bareprof_walk(image, layout, begin);

		if (stop <= furthest)
			continue;
		furthest = stop;
		size = (layout->end + 7u) & ~7u;
	}
	/* Counts records in a loop, because not every CPU has an instruction for division. */
	for (*record = 0, at = begin; at < furthest; at += size)
		*record += 1;
	for (layout = bareprof_layouts; furthest > begin && layout < bareprof_layouts + BAREPROF_LAYOUTS; layout++)
		if (bareprof_walk(image, layout, furthest) != furthest)
			return BAREPROF_E_MIXED;
	return BAREPROF_E_RECORD;
}
