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

static inline BAREPROF_UNUSED uint32_t bareprof_atomic_exchange_32(uint32_t *at, uint32_t value)
{
	uint32_t old;

	BAREPROF_MASKED(old, at, value);
	return old;
}

static inline BAREPROF_UNUSED uint32_t bareprof_atomic_exchange_relaxed(uint32_t *at, uint32_t value)
{
	return bareprof_atomic_exchange_32(at, value);
}

/* Stores @value if *@at is @old. Returns non-zero if it was. */
static inline BAREPROF_UNUSED int bareprof_atomic_replace_32(uint32_t *at, uint32_t old, uint32_t value)
{
	uint32_t found;

	BAREPROF_MASKED(found, at, found == old ? value : found);
	return found == old;
}

/* Adds 1 to a counter of 16 bits, except if it has its highest value. */
static inline BAREPROF_UNUSED void bareprof_atomic_saturate_16(uint16_t *at)
{
	uint16_t old;

	BAREPROF_MASKED(old, at, (uint16_t)(old + (old < 0xffff)));
	(void)old;
}

#define bareprof_load_relaxed(at) (*(__typeof__(*(at)) volatile *)(void *)(at))

static inline BAREPROF_UNUSED void bareprof_store_relaxed_32(uint32_t *at, uint32_t value)
{
	*(volatile uint32_t *)at = value;
}

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

/* Exchanges a word of 32 bits, with acquire and release ordering: no access is moved across the exchange. */
static inline BAREPROF_UNUSED uint32_t bareprof_atomic_exchange_32(uint32_t *at, uint32_t value)
{
	uint32_t old;
	uint32_t failed;

	__asm__ volatile("1:\tldaxr %w0, %2\n\tstlxr %w1, %w3, %2\n\tcbnz %w1, 1b"
			 : "=&r"(old), "=&r"(failed), "+Q"(*at)
			 : "r"(value)
			 : "memory");
	return old;
}

/* The same without ordering. */
static inline BAREPROF_UNUSED uint32_t bareprof_atomic_exchange_relaxed(uint32_t *at, uint32_t value)
{
	uint32_t old;
	uint32_t failed;

	__asm__ volatile("1:\tldxr %w0, %2\n\tstxr %w1, %w3, %2\n\tcbnz %w1, 1b"
			 : "=&r"(old), "=&r"(failed), "+Q"(*at)
			 : "r"(value));
	return old;
}

/* Stores @value if *@at is @old, with the same ordering. Returns non-zero if it was. */
static inline BAREPROF_UNUSED int bareprof_atomic_replace_32(uint32_t *at, uint32_t old, uint32_t value)
{
	uint32_t found;
	uint32_t failed;

	__asm__ volatile("1:\tldaxr %w0, %2\n\tcmp %w0, %w3\n\tb.ne 2f\n\tstlxr %w1, %w4, %2\n\tcbnz %w1, 1b\n2:"
			 : "=&r"(found), "=&r"(failed), "+Q"(*at)
			 : "r"(old), "r"(value)
			 : "memory", "cc");
	return found == old;
}

/* Adds 1 to a counter of 16 bits, except if it has its highest value. */
static inline BAREPROF_UNUSED void bareprof_atomic_saturate_16(uint16_t *at)
{
	uint32_t count;
	uint32_t failed;

	__asm__ volatile("1:\tldxrh %w0, %2\n\tadd %w0, %w0, #1\n\ttbnz %w0, #16, 2f\n\t"
			 "stxrh %w1, %w0, %2\n\tcbnz %w1, 1b\n2:"
			 : "=&r"(count), "=&r"(failed), "+Q"(*at));
}
#else
#define BAREPROF_EXCHANGE(size, w, old, at, new) ((old) = __atomic_exchange_n((at), (new), __ATOMIC_ACQUIRE))

static inline BAREPROF_UNUSED size_t bareprof_atomic_add(size_t *at, size_t n)
{
	return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
}

/* Exchanges a word of 32 bits, with acquire and release ordering: no access is moved across the exchange. */
static inline BAREPROF_UNUSED uint32_t bareprof_atomic_exchange_32(uint32_t *at, uint32_t value)
{
	return __atomic_exchange_n(at, value, __ATOMIC_ACQ_REL);
}

/* The same without ordering. */
static inline BAREPROF_UNUSED uint32_t bareprof_atomic_exchange_relaxed(uint32_t *at, uint32_t value)
{
	return __atomic_exchange_n(at, value, __ATOMIC_RELAXED);
}

/* Stores @value if *@at is @old, with the same ordering. Returns non-zero if it was. */
static inline BAREPROF_UNUSED int bareprof_atomic_replace_32(uint32_t *at, uint32_t old, uint32_t value)
{
	return __atomic_compare_exchange_n(at, &old, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Adds 1 to a counter of 16 bits, except if it has its highest value. */
static inline BAREPROF_UNUSED void bareprof_atomic_saturate_16(uint16_t *at)
{
	uint16_t count = __atomic_load_n(at, __ATOMIC_RELAXED);

	while (count < 0xffff &&
		!__atomic_compare_exchange_n(at, &count, (uint16_t)(count + 1), 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		continue;
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

/* These load or store a word in one step. The order of this and other accesses to memory is not defined. */
#define bareprof_load_relaxed(at) __atomic_load_n((at), __ATOMIC_RELAXED)

static inline BAREPROF_UNUSED void bareprof_store_relaxed_32(uint32_t *at, uint32_t value)
{
	__atomic_store_n(at, value, __ATOMIC_RELAXED);
}

#endif

#endif
