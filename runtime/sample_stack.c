/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_stack.c - the hook for samples with return addresses.
 */
#include "sample_hook.h"

#if BAREPROF_SERVES_STACKS

typedef const uintptr_t __attribute__((may_alias)) frame_word;

/* Returns @address as the compiler knows it: without a signature, and without the bit for Thumb state. */
static uintptr_t plain_address(uintptr_t address)
{
#if defined(__aarch64__)
	register uintptr_t link __asm__("x30") = address;

	/* xpaclri. On processors without signatures, this does nothing. */
	__asm__("hint #7" : "+r"(link));
	return link;
#elif defined(__arm__)
	return address & ~(uintptr_t)1;
#else
	return address;
#endif
}

void bareprof_sample_stack(struct bareprof_ring *ring, const struct bareprof_interrupted *at)
{
	const struct bareprof_sampler *sampler = ring->sampler;
	uint32_t word = bareprof_sample_word(sampler, at->pc);
	uintptr_t address = at->link;
	uintptr_t frame = at->frame;
	uintptr_t low = at->low;
	unsigned int i = 1;
	uint32_t *slot;
	uint32_t next = 1;

	if (!word) {
		bareprof_atomic_add(&ring->outside, 1);
		return;
	}
	slot = bareprof_sample_claim(ring);
	if (bareprof_atomic_exchange_32(slot, 0))
		bareprof_atomic_add(&ring->dropped, 1);
	for (; i < sampler->words; i++) {
		if (next && !address && !(frame & (sizeof(frame) - 1)) && frame >= low && frame < at->high &&
			at->high - frame >= 2 * sizeof(frame)) {
			frame_word *record = (frame_word *)frame;

			address = record[1];
			low = frame + 1; /* the next record must be above this one */
			frame = record[0];
		}
		/* From the first unknown address on, all words are 0. If the code starts at 0, the address 0 is in the code. */
		address = plain_address(address);
		next = next && address ? bareprof_sample_word(sampler, address) : 0;
		address = 0;
		bareprof_store_relaxed_32(&slot[i], next);
	}
	if (bareprof_atomic_exchange_32(slot, word))
		bareprof_atomic_add(&ring->dropped, 1);
}

#endif
