/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomic.c - what clang calls on a Cortex-M for -fprofile-update=atomic, as that
 * has no instruction for it: to add to a counter of 64 bits, and on Armv6-M to
 * set bits of MC/DC. With one CPU it is only interrupts that can come between.
 *
 * They are masked meanwhile, so that nobody sees half of an addition. That does
 * not keep out an NMI or a HardFault, and is ignored where code is unprivileged.
 * So each half is besides increased by exclusive accesses where there are such,
 * from Armv7-M up: no increment is lost even then. On Armv6-M one may be, and if
 * it is one with a carry, the upper half is 1 off.
 *
 * All of this is for counters: what else wants 64 bits to be atomic also needs
 * functions that load and store them, and those are not here.
 */
#include <bareprof/platform.h>

#if __ARM_ARCH_PROFILE != 'M'
#error "atomic.c is for Cortex-M; other CPUs have instructions for it"
#endif

enum {
	LOWER = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	UPPER = !LOWER
};

/* Under names that C keeps for the compiler. */
BAREPROF_API uint64_t bareprof_fetch_add_8(volatile void *object, uint64_t n, int order) __asm__(
	"__atomic_fetch_add_8");
BAREPROF_API uint64_t bareprof_sync_add_8(volatile void *object, uint64_t n) __asm__("__sync_fetch_and_add_8");

static uint32_t mask_interrupts(void)
{
	uint32_t masked;

	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(masked) : : "memory");
	return masked;
}

static void restore_interrupts(uint32_t masked)
{
	__asm__ volatile("msr primask, %0" : : "r"(masked) : "memory");
}

/* Returns what was there. */
static uint32_t add_half(volatile uint32_t *half, uint32_t n)
{
#ifdef __ARM_FEATURE_LDREX
	return __atomic_fetch_add(half, n, __ATOMIC_RELAXED);
#else
	uint32_t was = *half;

	*half = was + n;
	return was;
#endif
}

uint64_t bareprof_sync_add_8(volatile void *object, uint64_t n)
{
	volatile uint32_t *half = object;
	uint32_t masked = mask_interrupts();
	uint32_t low = add_half(&half[LOWER], (uint32_t)n);
	uint32_t high = add_half(&half[UPPER], (uint32_t)(n >> 32) + (low + (uint32_t)n < low));

	restore_interrupts(masked);
	return (uint64_t)high << 32 | low;
}

/* clang 15 and up; which order makes no difference to one CPU. */
uint64_t bareprof_fetch_add_8(volatile void *object, uint64_t n, int order)
{
	(void)order;
	return bareprof_sync_add_8(object, n);
}

#ifndef __ARM_FEATURE_LDREX
BAREPROF_API uint8_t bareprof_fetch_or_1(volatile void *object, uint8_t bits, int order) __asm__("__atomic_fetch_or_1");

uint8_t bareprof_fetch_or_1(volatile void *object, uint8_t bits, int order)
{
	volatile uint8_t *byte = object;
	uint32_t masked = mask_interrupts();
	uint8_t was = *byte;

	(void)order;
	*byte = was | bits;
	restore_interrupts(masked);
	return was;
}
#endif
