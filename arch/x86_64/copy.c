/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.c - copies and fills memory on x86_64 with string instructions, which need no vector
 * registers and are as fast as memcpy(). This file replaces runtime/copy.c.
 *
 * Both functions move single bytes up to the first aligned word, then whole words, then the bytes
 * after the last word. So each counter that is aligned to 8 bytes is moved with a single access of
 * 8 bytes. The ABI requires that the direction flag is clear; the entry code of a kernel ensures
 * this.
 */
#include <bareprof/platform.h>

/*
 * Returns the number of bytes that must be moved one by one before the first aligned word. If @n
 * is less than 8, all @n bytes must be moved one by one.
 */
static size_t odd_bytes(const void *p, size_t n)
{
	return n < 8 ? n : -(uintptr_t)p & 7;
}

void bareprof_copy(void *to, const void *from, size_t n)
{
	while (n) {
		size_t count = odd_bytes(from, n);

		n -= count;
		__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
		count = n / 8;
		__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
		n &= 7;
	}
}

void bareprof_fill(void *to, int byte, size_t n)
{
	uint64_t pattern = (uint8_t)byte * 0x0101010101010101ull;

	while (n) {
		size_t count = odd_bytes(to, n);

		n -= count;
		__asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(pattern) : "memory");
		count = n / 8;
		__asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(pattern) : "memory");
		n &= 7;
	}
}
