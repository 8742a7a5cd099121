/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_histogram.c - the histogram, and the hook that counts a sample in it.
 */
#include "sample_hook.h"

int bareprof_histogram_init(struct bareprof_histogram *histogram, void *memory, size_t size)
{
	uint16_t *at = memory;
	uint16_t *end;

	if (size < BAREPROF_HISTOGRAM_SIZE(histogram->sampler.range, histogram->shift))
		return BAREPROF_E_NO_SPACE;
	histogram->memory = memory;
	histogram->counted = 0;
	histogram->outside = 0;
	for (end = at + size / sizeof(*at); at < end; at++)
		*at = 0;
	return BAREPROF_OK;
}

void bareprof_histogram_sample(struct bareprof_histogram *histogram, uintptr_t pc)
{
	size_t offset = pc - histogram->sampler.base;
	uint16_t *counters = (uint16_t *)(histogram->memory + BAREPROF_SAMPLES_HEADER);
	size_t *count = &histogram->outside;

	if (offset < histogram->sampler.range) {
		count = &histogram->counted;
		bareprof_atomic_saturate_16(&counters[offset >> histogram->shift]);
	}
	bareprof_atomic_add(count, 1);
}
