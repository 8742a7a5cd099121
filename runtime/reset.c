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
		struct bareprof_slice part[3];

		bareprof_split_blocks(part, &bits[1], image);
		bareprof_fill((void *)(uintptr_t)part[0].start, (int)image->machine, part[0].size);
		bareprof_fill((void *)(uintptr_t)part[1].start, 0, part[1].size);
		bareprof_fill((void *)(uintptr_t)part[2].start, 0, part[2].size);
	}
#if BAREPROF_SERVES_VALUES
	if (image->values)
		bareprof_values_reset(image->values);
#endif
}
