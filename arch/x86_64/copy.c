/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.c - copy and fill for x86_64: string instructions, which need no vector
 * registers and are as fast as memcpy. Replaces runtime/copy.c.
 *
 * Bytes up to the first aligned word, words, bytes after the last: a counter
 * inside is always moved by one aligned 8-byte access. The direction flag is
 * clear, as the ABI says; entry code of a kernel sees to that.
 */
#include <bareprof/platform.h>

/* Bytes to move singly first: up to the first aligned word, or all of a few. */
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
