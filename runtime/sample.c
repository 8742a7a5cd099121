/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.c - the ring of one CPU, and the hook for samples of one word.
 *
 * A hook claims a slot by adding 1 to the number of samples taken. So hooks that interrupt each other, or that run on
 * several CPUs, get different slots. Whoever removes a sample from a slot replaces its first word in one atomic step: the
 * drain by 0, and a hook by a new sample. So each sample is removed exactly once, and is either read or counted as
 * dropped.
 */
#include "sample_hook.h"

int bareprof_ring_init(struct bareprof_ring *ring, struct bareprof_sampler *sampler, uint32_t *slots, size_t count)
{
	size_t stride = BAREPROF_WORDS_OF(sampler);

	if (count & (count - 1) || !count || stride - 1 >= BAREPROF_SAMPLE_WORDS_MAX)
		return BAREPROF_E_ARGUMENT;
	/* A sample of one word can have any offset of 32 bits. */
	if ((BAREPROF_SERVES_STACKS || sizeof(size_t) > 4) && sampler->range > BAREPROF_SAMPLE_RANGE_MAX)
		return BAREPROF_E_ARGUMENT;
	ring->sampler = sampler;
	ring->slots = slots;
	ring->mask = count - 1;
	ring->taken = 0;
	ring->outside = 0;
	ring->dropped = 0;
	for (count *= stride; count; count--)
		*slots++ = 0;
	ring->next = sampler->rings;
	sampler->rings = ring;
	return BAREPROF_OK;
}

void bareprof_sample(struct bareprof_ring *ring, uintptr_t pc)
{
	size_t offset = pc - ring->sampler->base;
	size_t *count = &ring->outside;

	if (offset < ring->sampler->range) {
		count = &ring->dropped;
		/* The sample has one word, so its order among other accesses does not matter. */
		if (!bareprof_atomic_exchange_relaxed(bareprof_sample_claim(ring), (uint32_t)offset + 1))
			return;
	}
	bareprof_atomic_add(count, 1);
}
