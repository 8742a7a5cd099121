/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * md5.c - MD5 as in RFC 1321. LLVM uses it to refer to names of functions; no
 * security depends on it.
 */
#include "md5.h"

#include <string.h>

/* The constants of MD5. The constant at index i is floor(2^32 * |sin(i + 1)|). */
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

/*
 * Eight messages are hashed at the same time, one in each lane. This is faster because a program
 * has many short names, and one message alone leaves most of a CPU idle.
 */
#define LANES 8u
#define CHUNK 64u

/* With AVX2, one register of 256 bits holds a word of each of the eight lanes. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

#define INLINE static inline __attribute__((always_inline))

/*
 * Computes the MD5 function of @b, @c and @d for step @i, and adds the result to *@sum. Each of the four rounds has 16
 * steps and its own function. Returns the index of the word in the chunk that step @i uses.
 */
INLINE unsigned int mix(unsigned int i, lanes *sum, const lanes *b, const lanes *c, const lanes *d)
{
	switch (i / 16) {
	case 0:
		*sum += (*b & *c) | (~*b & *d);
		return i;
	case 1:
		*sum += (*d & *b) | (~*d & *c);
		return (5 * i + 1) % 16;
	case 2:
		*sum += *b ^ *c ^ *d;
		return (3 * i + 5) % 16;
	default:
		*sum += *c ^ (*b | ~*d);
		return 7 * i % 16;
	}
}

/* Hashes one chunk in each lane. Only lanes whose word in @active has all bits set add the result to @state. */
INLINE void add_chunks(lanes state[4], const lanes chunk[16], const lanes *active)
{
	lanes a = state[0];
	lanes b = state[1];
	lanes c = state[2];
	lanes d = state[3];
	unsigned int i;

	for (i = 0; i < 64; i++) {
		unsigned int shift = shifts[i / 16][i % 4];
		lanes sum = a + sines[i];

		sum += chunk[mix(i, &sum, &b, &c, &d)];
		a = d;
		d = c;
		c = b;
		b += sum << shift | sum >> (32 - shift);
	}
	state[0] += a & *active;
	state[1] += b & *active;
	state[2] += c & *active;
	state[3] += d & *active;
}

/*
 * Returns the number of chunks that a message fills together with its padding. The padding is the
 * end mark, zeros and the length in bits.
 */
static size_t chunks_of(struct bytes message)
{
	return (message.size + 8) / CHUNK + 1;
}

/*
 * Loads chunk @index of @message into lane @lane of @chunk. Adds the padding if the message ends in
 * this chunk or before it.
 */
INLINE void take_chunk(struct bytes message, size_t index, lanes chunk[16], unsigned int lane)
{
	size_t start = index * CHUNK;
	const uint8_t *from = message.data + start;
	uint8_t made[CHUNK] = {0};
	unsigned int i;

	if (start > message.size || message.size - start < CHUNK) {
		size_t left = start < message.size ? message.size - start : 0;

		if (left)
			memcpy(made, from, left);
		if (start <= message.size)
			made[left] = 0x80;
		if (index + 1 == chunks_of(message))
			store_uint(made + CHUNK - 8, (uint64_t)message.size * 8, 8, false);
		from = made;
	}
	for (i = 0; i < 16; i++)
		chunk[i][lane] = (uint32_t)load_uint(from + 4 * (size_t)i, 4, false);
}

/* Hashes @count messages, at most LANES, each in a lane of its own. */
WIDE static void hash_some(const struct bytes *messages, size_t count, lanes state[4])
{
	static const uint32_t first[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	size_t max_chunks = 0;
	size_t index;
	unsigned int i;

	for (i = 0; i < 4; i++)
		state[i] = first[i] + (lanes){0};
	for (i = 0; i < count; i++)
		if (chunks_of(messages[i]) > max_chunks)
			max_chunks = chunks_of(messages[i]);
	for (index = 0; index < max_chunks; index++) {
		lanes chunk[16] = {{0}};
		lanes active = {0};

		for (i = 0; i < count; i++)
			if (index < chunks_of(messages[i])) {
				take_chunk(messages[i], index, chunk, i);
				active[i] = UINT32_MAX;
			}
		add_chunks(state, chunk, &active);
	}
}

void md5_low_each(const struct bytes *messages, size_t count, uint64_t *results)
{
	while (count) {
		size_t some = count < LANES ? count : LANES;
		lanes state[4];
		size_t i;

		hash_some(messages, some, state);
		for (i = 0; i < some; i++)
			results[i] = (uint64_t)state[1][i] << 32 | state[0][i];
		messages += some;
		results += some;
		count -= some;
	}
}

uint64_t md5_low(struct bytes bytes)
{
	uint64_t result;

	md5_low_each(&bytes, 1, &result);
	return result;
}

void md5(struct bytes bytes, uint8_t result[16])
{
	lanes state[4];
	unsigned int i;

	hash_some(&bytes, 1, state);
	for (i = 0; i < 4; i++)
		store_uint(result + 4 * (size_t)i, state[i][0], 4, false);
}
