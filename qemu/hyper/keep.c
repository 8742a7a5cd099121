/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.c - finds bytes of the hypervisor's memory that changed but should not have changed. It
 * compares all memory from the first byte of the image to the unused memory after the guest's
 * memory. It leaves out counters, stack, the buffer of windows, and the guest's memory itself.
 */
#include "hyper.h"

/* The linker scripts define these symbols. */
extern uint8_t hyper_start[], hyper_end[], kept[];
extern uint8_t changes_start[], changes_end[], guest_memory[], guest_memory_end[];
extern uint8_t __start___llvm_prf_cnts[], __stop___llvm_prf_cnts[];
extern uint8_t __start___llvm_prf_bits[], __stop___llvm_prf_bits[];

/* The memory that may change, ordered by address. */
static uint8_t *const free_to[][2] = {
	{__start___llvm_prf_cnts, __stop___llvm_prf_cnts},
	{__start___llvm_prf_bits, __stop___llvm_prf_bits},
	{changes_start, changes_end},
	{guest_memory, guest_memory_end},
};

uint32_t keep(void)
{
	uint32_t n = (uint32_t)(hyper_end - hyper_start);

	__builtin_memcpy(kept, hyper_start, n);
	return n;
}

uint32_t keep_compare(void)
{
	uint32_t changed = 0;
	unsigned int i;
	uint8_t *p;

	for (p = hyper_start; p < hyper_end; p++) {
		for (i = 0; i < sizeof(free_to) / sizeof(free_to[0]); i++)
			if (p >= free_to[i][0] && p < free_to[i][1])
				p = free_to[i][1];
		if (p < hyper_end && *p != kept[p - hyper_start])
			changed++;
	}
	return changed;
}
