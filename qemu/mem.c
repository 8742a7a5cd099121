/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mem.c - the memory functions that compilers call on their own, for a kernel
 * without a C library. They are simple loops and are never instrumented.
 */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);

/* Copies upwards. @to is volatile, because otherwise the compiler would turn this loop into a call of memcpy(). */
static void copy_up(volatile uint8_t *to, const uint8_t *from, size_t n)
{
	while (n-- > 0)
		*to++ = *from++;
}

static void copy_down(volatile uint8_t *to, const uint8_t *from, size_t n)
{
	while (n-- > 0)
		to[n] = from[n];
}

void *memcpy(void *to, const void *from, size_t n)
{
	copy_up(to, from, n);
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	if ((uintptr_t)to < (uintptr_t)from)
		copy_up(to, from, n);
	else
		copy_down(to, from, n);
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	volatile uint8_t *d = to;

	while (n-- > 0)
		*d++ = (uint8_t)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *p = a;
	const uint8_t *q = b;

	for (; n > 0; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

#ifdef __arm__
/*
 * The names that the Arm ABI gives these functions. __aeabi_memset takes the size before the byte, and memset takes the
 * byte before the size.
 */
void __aeabi_memcpy(void *to, const void *from, size_t n);
void __aeabi_memmove(void *to, const void *from, size_t n);
void __aeabi_memset(void *to, size_t n, int byte);
void __aeabi_memclr(void *to, size_t n);

void __aeabi_memcpy(void *to, const void *from, size_t n)
{
	copy_up(to, from, n);
}

void __aeabi_memmove(void *to, const void *from, size_t n)
{
	memmove(to, from, n);
}

void __aeabi_memset(void *to, size_t n, int byte)
{
	memset(to, byte, n);
}

void __aeabi_memclr(void *to, size_t n)
{
	memset(to, 0, n);
}

/* Variants for aligned memory, which could be faster. They are only aliases here, because speed does not matter. */
#define SAME_AS(name) __attribute__((alias(#name)))
void __aeabi_memcpy4(void *to, const void *from, size_t n) SAME_AS(__aeabi_memcpy);
void __aeabi_memcpy8(void *to, const void *from, size_t n) SAME_AS(__aeabi_memcpy);
void __aeabi_memmove4(void *to, const void *from, size_t n) SAME_AS(__aeabi_memmove);
void __aeabi_memmove8(void *to, const void *from, size_t n) SAME_AS(__aeabi_memmove);
void __aeabi_memset4(void *to, size_t n, int byte) SAME_AS(__aeabi_memset);
void __aeabi_memset8(void *to, size_t n, int byte) SAME_AS(__aeabi_memset);
void __aeabi_memclr4(void *to, size_t n) SAME_AS(__aeabi_memclr);
void __aeabi_memclr8(void *to, size_t n) SAME_AS(__aeabi_memclr);
#endif
