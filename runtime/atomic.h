/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomic.h - internal: atomic access to words of memory that several CPUs or interrupt
 * handlers change.
 */
#ifndef BAREPROF_ATOMIC_H
#define BAREPROF_ATOMIC_H

#include <bareprof/platform.h>

/* A word of memory that other code may access as an object of another type. */
typedef uintptr_t __attribute__((may_alias)) bareprof_word;

#if defined(__ARM_ARCH) && __ARM_ARCH == 6 && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

/*
 * Armv6-M has no atomic instructions, and for atomic builtins clang would call library
 * functions. An Armv6-M has only one CPU, so it is enough to mask interrupts. The exception
 * is an NMI: a value that an NMI stores to *@at between the load and the store is lost.
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

static inline BAREPROF_UNUSED size_t bareprof_atomic_add(size_t *at, size_t n)
{
	size_t old;

	BAREPROF_MASKED(old, at, old + n);
	return old;
}

static inline BAREPROF_UNUSED uintptr_t bareprof_atomic_exchange(bareprof_word *at, uintptr_t value)
{
	uintptr_t old;

	BAREPROF_MASKED(old, at, value);
	return old;
}

static inline BAREPROF_UNUSED uint8_t bareprof_atomic_exchange_byte(uint8_t *at, uint8_t value)
{
	uint8_t old;

	BAREPROF_MASKED(old, at, value);
	return old;
}

#define bareprof_load_relaxed(at) (*(__typeof__(*(at)) volatile *)(void *)(at))

#else

#ifdef __aarch64__

/*
 * The loop is written in assembler because an image may be linked without libgcc. For an
 * atomic builtin, the compiler may call a function of libgcc. That function chooses between
 * this loop and an instruction of Armv8.1.
 */
static inline BAREPROF_UNUSED size_t bareprof_atomic_add(size_t *at, size_t n)
{
	size_t old;
	size_t sum;
	uint32_t failed;

	__asm__ volatile("1:\tldxr %0, %3\n\tadd %1, %0, %4\n\tstxr %w2, %1, %3\n\tcbnz %w2, 1b"
			 : "=&r"(old), "=&r"(sum), "=&r"(failed), "+Q"(*at)
			 : "r"(n));
	return old;
}

/*
 * Exchanges a word or byte with acquire ordering: no later access is moved before the
 * exchange. @size is the suffix of the instructions, "b" for a byte and "" for a word. @w
 * is the prefix of their register operands, "w" for w registers and "" for x registers.
 */
#define BAREPROF_EXCHANGE(size, w, old, at, new)                                                                       \
	do {                                                                                                           \
		uint32_t failed;                                                                                       \
                                                                                                                       \
		__asm__ volatile("1:\tldaxr" size " %" w "0, %2\n\tstxr" size " %w1, %" w "3, %2\n\tcbnz %w1, 1b"      \
				 : "=&r"(old), "=&r"(failed), "+Q"(*(at))                                              \
				 : "r"(new)                                                                            \
				 : "memory");                                                                          \
	} while (0)
#else
#define BAREPROF_EXCHANGE(size, w, old, at, new) ((old) = __atomic_exchange_n((at), (new), __ATOMIC_ACQUIRE))

static inline BAREPROF_UNUSED size_t bareprof_atomic_add(size_t *at, size_t n)
{
	return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
}

#endif

static inline BAREPROF_UNUSED uintptr_t bareprof_atomic_exchange(bareprof_word *at, uintptr_t value)
{
	uintptr_t old;

	BAREPROF_EXCHANGE("", "", old, at, value);
	return old;
}

static inline BAREPROF_UNUSED uint8_t bareprof_atomic_exchange_byte(uint8_t *at, uint8_t value)
{
	uint8_t old;

	BAREPROF_EXCHANGE("b", "w", old, at, value);
	return old;
}

/* Loads a word in one step. The order of this and other accesses to memory is not defined. */
#define bareprof_load_relaxed(at) __atomic_load_n((at), __ATOMIC_RELAXED)

#endif

#endif
