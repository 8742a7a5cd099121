/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * md5.c - MD5 after RFC 1321. Here it names functions; nothing relies on it
 * for safety.
 */
#include "md5.h"

#include <string.h>

/* floor(2^32 * |sin(i + 1)|) */
static const uint32_t sines[64] = {
	0xd76aa478,
	0xe8c7b756,
	0x242070db,
	0xc1bdceee,
	0xf57c0faf,
	0x4787c62a,
	0xa8304613,
	0xfd469501,
	0x698098d8,
	0x8b44f7af,
	0xffff5bb1,
	0x895cd7be,
	0x6b901122,
	0xfd987193,
	0xa679438e,
	0x49b40821,
	0xf61e2562,
	0xc040b340,
	0x265e5a51,
	0xe9b6c7aa,
	0xd62f105d,
	0x02441453,
	0xd8a1e681,
	0xe7d3fbc8,
	0x21e1cde6,
	0xc33707d6,
	0xf4d50d87,
	0x455a14ed,
	0xa9e3e905,
	0xfcefa3f8,
	0x676f02d9,
	0x8d2a4c8a,
	0xfffa3942,
	0x8771f681,
	0x6d9d6122,
	0xfde5380c,
	0xa4beea44,
	0x4bdecfa9,
	0xf6bb4b60,
	0xbebfbc70,
	0x289b7ec6,
	0xeaa127fa,
	0xd4ef3085,
	0x04881d05,
	0xd9d4d039,
	0xe6db99e5,
	0x1fa27cf8,
	0xc4ac5665,
	0xf4292244,
	0x432aff97,
	0xab9423a7,
	0xfc93a039,
	0x655b59c3,
	0x8f0ccc92,
	0xffeff47d,
	0x85845dd1,
	0x6fa87e4f,
	0xfe2ce6e0,
	0xa3014314,
	0x4e0811a1,
	0xf7537e82,
	0xbd3af235,
	0x2ad7d2bb,
	0xeb86d391,
};

static const uint8_t shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

/* The function of round @i / 16, and in *@word which word of the chunk it takes. */
static uint32_t mix(unsigned int i, uint32_t b, uint32_t c, uint32_t d, unsigned int *word)
{
	switch (i / 16) {
	case 0:
		*word = i;
		return (b & c) | (~b & d);
	case 1:
		*word = (5 * i + 1) % 16;
		return (d & b) | (~d & c);
	case 2:
		*word = (3 * i + 5) % 16;
		return b ^ c ^ d;
	default:
		*word = 7 * i % 16;
		return c ^ (b | ~d);
	}
}

static void add_chunk(uint32_t state[4], const uint8_t *chunk)
{
	uint32_t a = state[0];
	uint32_t b = state[1];
	uint32_t c = state[2];
	uint32_t d = state[3];
	unsigned int i;

	for (i = 0; i < 64; i++) {
		unsigned int shift = shifts[i / 16][i % 4];
		unsigned int word;
		uint32_t sum = a + mix(i, b, c, d, &word) + sines[i];

		sum += (uint32_t)load(chunk + 4 * word, 4, false);
		a = d;
		d = c;
		c = b;
		b += sum << shift | sum >> (32 - shift);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

uint64_t md5_low(struct bytes bytes)
{
	uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	uint8_t tail[128] = {0};
	size_t whole = bytes.size & ~(size_t)63;
	size_t rest = bytes.size - whole;
	size_t tail_size = rest < 56 ? 64 : 128;
	uint64_t bits = (uint64_t)bytes.size * 8;
	size_t i;

	for (i = 0; i < whole; i += 64)
		add_chunk(state, bytes.data + i);
	if (rest)
		memcpy(tail, bytes.data + whole, rest);
	tail[rest] = 0x80;
	for (i = 0; i < 8; i++)
		tail[tail_size - 8 + i] = (uint8_t)(bits >> 8 * i);
	for (i = 0; i < tail_size; i += 64)
		add_chunk(state, tail + i);
	return (uint64_t)state[1] << 32 | state[0];
}
