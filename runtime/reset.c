/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reset.c - sets all counters to "never run".
 */
#include "values_serialize.h"

void bareprof_reset(struct bareprof_image *image)
{
	const struct bareprof_slice *cnts = &image->section[BAREPROF_CNTS];
	const struct bareprof_slice *bits = &image->section[BAREPROF_BITS];
	/* A byte counter is 0xff until its block of code has run. */
	int never = image->version & BAREPROF_VARIANT_BYTE_COVERAGE ? 0xff : 0;

	image->generation++;
	bareprof_fill((void *)(uintptr_t)cnts->start, never, cnts->size);
	bareprof_fill((void *)(uintptr_t)bits->start, 0, bits->size);
#if BAREPROF_SERVES_VALUES
	if (image->values)
		bareprof_values_reset(image->values);
#endif
}
