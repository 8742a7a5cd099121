/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.c - copies and fills memory word by word, in plain C.
 *
 * Counters are accessed as volatile. So the compiler accesses each word once and as a
 * whole, and does not turn the loops into calls of memcpy() and memset().
 */
#include <bareprof/platform.h>

typedef uintptr_t __attribute__((may_alias)) copy_word;
struct unaligned {
	copy_word value;
} __attribute__((packed));

#define UNALIGNED(p, n) ((uintptr_t)(p) & (sizeof(copy_word) - 1) || (n) < sizeof(copy_word))

void bareprof_copy(void *to, const void *from, size_t n)
{
	uint8_t *d = to;
	const uint8_t *s = from;

	while (n) {
		size_t step = sizeof(copy_word);

		if (UNALIGNED(s, n)) {
			*d = *(const volatile uint8_t *)s;
			step = 1;
		} else {
			((struct unaligned *)d)->value = *(const volatile copy_word *)s;
		}
		d += step;
		s += step;
		n -= step;
	}
}

void bareprof_fill(void *to, int byte, size_t n)
{
	uint8_t *d = to;
	copy_word pattern = (uint8_t)byte * (~(copy_word)0 / 0xff);

	while (n) {
		size_t step = sizeof(copy_word);

		if (UNALIGNED(d, n)) {
			*(volatile uint8_t *)d = (uint8_t)pattern;
			step = 1;
		} else {
			*(volatile copy_word *)d = pattern;
		}
		d += step;
		n -= step;
	}
}
