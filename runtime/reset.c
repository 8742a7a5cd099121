/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reset.c - sets all counters to "never run".
 */
#include "values_serialize.h"

void bareprof_reset(struct bareprof_image *image)
{
	const struct bareprof_slice *cnts = &image->section[BAREPROF_CNTS];
	const struct bareprof_slice *bits = &image->section[BAREPROF_BITS];

	image->generation++;
	bareprof_fill((void *)(uintptr_t)cnts->start, bareprof_counter_start(image), cnts->size);
	bareprof_fill((void *)(uintptr_t)bits->start, (int)image->machine, bits->size);
	if (bareprof_live_sections(image) > 2) {
		bareprof_fill((void *)(uintptr_t)bits[1].start, 0, bits[1].size);
		bareprof_fill((void *)(uintptr_t)bits[2].start, 0, bits[2].size);
	}
#if BAREPROF_SERVES_VALUES
	if (image->values)
		bareprof_values_reset(image->values);
#endif
}
