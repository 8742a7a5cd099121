/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomic.c - the functions that clang's instrumentation calls on a Cortex-M with
 * -fprofile-update=atomic. Clang calls functions because a Cortex-M has no instruction for an
 * atomic 64-bit addition. Two functions add to a 64-bit counter. A third function, only for
 * Armv6-M, sets bits of an MC/DC bitmap.
 *
 * A Cortex-M has only one CPU, so only interrupts can interfere with an addition. The functions
 * mask interrupts, so that no interrupt handler runs in the middle of an addition. Masking does not
 * stop an NMI or a HardFault, and has no effect in unprivileged code. Therefore, from Armv7-M on,
 * the functions also use exclusive accesses to change each half of the counter. So no increment is
 * lost in these cases either. Armv6-M has no exclusive accesses. If an NMI, a HardFault or a
 * handler that was not masked interrupts an addition on an Armv6-M, an increment may be lost. If
 * this increment has a carry, the upper half becomes wrong by 1.
 *
 * These functions are only for counters. Other code with atomic 64-bit numbers also needs functions
 * that load and store such numbers. This file does not have those functions.
 */
#include <bareprof/platform.h>

#if __ARM_ARCH_PROFILE != 'M'
#error "atomic.c is for Cortex-M; other CPUs have instructions for it"
#endif

enum {
	LOWER = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	UPPER = !LOWER
};

/*
 * C reserves the names of these symbols for the compiler. So the functions have other names in C, and __asm__ sets the
 * names of their symbols.
 */
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

/* Adds @n to *half, in one atomic step if the CPU has exclusive accesses. Returns the old value. */
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

/* Clang 15 and later call this function. It ignores the memory order, which makes no difference on a single CPU. */
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
