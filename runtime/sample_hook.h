/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_hook.h - internal: what the hooks for samples share.
 */
#ifndef BAREPROF_SAMPLE_HOOK_H
#define BAREPROF_SAMPLE_HOOK_H

#include <bareprof/sample.h>

#include "atomic.h"

/* Returns the word of a sample for @address: the offset from the start of the code plus 1. 0: it is not in the code. */
static inline BAREPROF_UNUSED uint32_t bareprof_sample_word(const struct bareprof_sampler *sampler, uintptr_t address)
{
	size_t offset = address - sampler->base;

	return offset < sampler->range ? (uint32_t)offset + 1 : 0;
}

/* Claims the next slot. Returns the address of its first word. */
static inline BAREPROF_UNUSED uint32_t *bareprof_sample_claim(struct bareprof_ring *ring)
{
	return ring->slots + (bareprof_atomic_add(&ring->taken, 1) & ring->mask) * BAREPROF_WORDS_OF(ring->sampler);
}

#endif
