/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * small.c - the smallest thing that works: counters alone, nothing learnt. What
 * they count is in the ELF file, and the host checks it there.
 */
#include <bareprof/capture.h>

#include "bounds.h"

int bareprof_small_start(struct bareprof_image *image)
{
	image->version = *bareprof_take_bounds(image);
	image->shift = image->version & BAREPROF_VARIANT_BYTE_COVERAGE ? 0 : 3;
	image->counters = image->section[BAREPROF_CNTS].size >> image->shift;
	image->records = 0;
	image->value_sites = 0;
	bareprof_reset(image);
	image->generation = 0;
	return image->counters ? BAREPROF_OK : BAREPROF_E_NO_COUNTERS;
}

/* Sends by itself: bareprof_send() would take 30 bytes of stack more. */
int bareprof_small_dump(const struct bareprof_image *image, uint64_t nonce, void *buf, size_t size, bareprof_form form,
	bareprof_sink sink, void *context)
{
	struct bareprof_capture capture;
	intptr_t error = bareprof_capture_open(&capture, image, nonce, buf, size);
	uint32_t i = 0;

	while (!error && i < capture.blocks) {
		intptr_t n = bareprof_block(&capture, i++, buf, size);

		if (n < 0)
			return (int)n;
		if (form(buf, (size_t)n, sink, context))
			error = BAREPROF_E_ABORTED;
		BAREPROF_YIELD();
	}
	return (int)error;
}
