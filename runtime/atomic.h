/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomic.h - within the runtime: words that several CPUs and interrupts change.
 */
#ifndef BAREPROF_ATOMIC_H
#define BAREPROF_ATOMIC_H

#include <bareprof/platform.h>

/* Memory that may have other types. */
typedef uintptr_t __attribute__((may_alias)) bareprof_word;

#if defined(__ARM_ARCH) && __ARM_ARCH == 6 && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

/*
 * Armv6-M has no instructions for it, and clang would call functions. It has one CPU,
 * whose interrupts are masked; an NMI in between is undone.
 */
#define BAREPROF_MASKED(old, at, new)                                                                                  \
	do {                                                                                                           \
		uint32_t before;                                                                                       \
                                                                                                                       \
		__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(before) : : "memory");                            \
		(old) = *(at);                                                                                         \
		*(at) = (new);                                                                                         \
		__asm__ volatile("msr primask, %0" : : "r"(before) : "memory");                                        \
	} while (0)

static inline BAREPROF_UNUSED size_t bareprof_add(size_t *at, size_t n)
{
	size_t old;

	BAREPROF_MASKED(old, at, old + n);
	return old;
}

static inline BAREPROF_UNUSED uintptr_t bareprof_exchange(bareprof_word *at, uintptr_t value)
{
	uintptr_t old;

	BAREPROF_MASKED(old, at, value);
	return old;
}

static inline BAREPROF_UNUSED uint8_t bareprof_exchange_byte(uint8_t *at, uint8_t value)
{
	uint8_t old;

	BAREPROF_MASKED(old, at, value);
	return old;
}

#define bareprof_load(at)         (*(__typeof__(*(at)) volatile *)(at))
#define bareprof_look(at)         bareprof_load(at)
#define bareprof_store(at, value) (*(__typeof__(*(at)) volatile *)(at) = (value))

#else

static inline BAREPROF_UNUSED size_t bareprof_add(size_t *at, size_t n)
{
	return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
}

/* What follows is not seen before it, nor after a store that comes later. */
static inline BAREPROF_UNUSED uintptr_t bareprof_exchange(bareprof_word *at, uintptr_t value)
{
	return __atomic_exchange_n(at, value, __ATOMIC_ACQUIRE);
}

static inline BAREPROF_UNUSED uint8_t bareprof_exchange_byte(uint8_t *at, uint8_t value)
{
	return __atomic_exchange_n(at, value, __ATOMIC_ACQUIRE);
}

/* What another CPU wrote before it stored a pointer is seen by who loads it. */
#define bareprof_load(at)         __atomic_load_n((at), __ATOMIC_ACQUIRE)
#define bareprof_look(at)         __atomic_load_n((at), __ATOMIC_RELAXED) /* for a word alone */
#define bareprof_store(at, value) __atomic_store_n((at), (value), __ATOMIC_RELEASE)

#endif

#endif
