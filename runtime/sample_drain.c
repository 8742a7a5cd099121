/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_drain.c - moves samples out of a ring, while hooks may store new ones.
 *
 * For samples of several words, the drain puts the word READING in place of the first word, reads the other words, and
 * then puts 0 there if it finds READING again. In this case no hook has changed the slot in between, because a hook sets
 * the first word to 0 before it changes the others. Otherwise the hook has counted the sample as dropped.
 */
#include "sample_hook.h"

#define READING 0xffffffffu /* larger than the first word of any sample */

/* Moves the sample in @slot to @to. Returns 0 if there is no sample, or if a hook replaces it at this moment. */
static inline int move_sample(uint32_t *slot, uint32_t *to, size_t stride)
{
	size_t i;

	if (!BAREPROF_SERVES_STACKS || stride == 1)
		return (*to = bareprof_atomic_exchange_relaxed(slot, 0)) != 0;
	*to = bareprof_load_relaxed(slot);
	if (!*to)
		return 0;
	if (!bareprof_atomic_replace_32(slot, *to, READING))
		return 0;
	for (i = 1; i < stride; i++)
		to[i] = bareprof_load_relaxed(&slot[i]);
	return bareprof_atomic_replace_32(slot, READING, 0);
}

uint32_t *bareprof_ring_drain(struct bareprof_ring *ring, uint32_t *to, const uint32_t *end)
{
	size_t stride = BAREPROF_WORDS_OF(ring->sampler);
	size_t slot = bareprof_load_relaxed(&ring->taken); /* the oldest sample */
	size_t stop = slot + ring->mask + 1;

	for (; slot != stop && (size_t)(end - to) >= stride; slot++)
		if (move_sample(ring->slots + (slot & ring->mask) * stride, to, stride))
			to += stride;
	return to;
}
