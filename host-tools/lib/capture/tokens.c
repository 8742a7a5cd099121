/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tokens.c - decode items, one after the other. What an item claims is held
 * against the room that is left before any of it is written.
 */
#include "tokens.h"

#include <bareprof/wire.h>

/* The bytes that start an item of each kind, and what they stand for. */
#define ZEROS_MOST  (BAREPROF_ITEM_MORE - BAREPROF_ITEM_ZEROS)
#define REPEAT_MOST (BAREPROF_ITEM_SMALL - BAREPROF_ITEM_REPEAT)
#define LARGE_LEAST 2u
#define LARGE_MOST  8u

struct decoding {
	struct cursor in;
	uint8_t *raw; /* NULL: nothing is kept */
	uint64_t room; /* numbers that are still to come */
	uint64_t before; /* the number before */
	unsigned int width; /* bytes of a number */
	bool inverted;
	bool big;
};

/* @count times @value; false if there is no room for them, or the number is too large. */
static bool put(struct decoding *decoding, uint64_t value, uint64_t count)
{
	if (decoding->in.failed || count > decoding->room || (decoding->width < 8 && value >> 8 * decoding->width))
		return false;
	decoding->room -= count;
	decoding->before = value;
	for (; decoding->raw && count; count--) {
		store(decoding->raw, decoding->inverted ? ~value : value, decoding->width, decoding->big);
		decoding->raw += decoding->width;
	}
	return true;
}

static bool take_item(struct decoding *decoding)
{
	struct cursor *in = &decoding->in;
	uint8_t byte = (uint8_t)take_fixed(in, 1);
	uint64_t more;

	if (byte < BAREPROF_ITEM_MORE)
		return put(decoding, 0, byte - BAREPROF_ITEM_ZEROS + 1u);
	if (byte == BAREPROF_ITEM_MORE) {
		more = take_uleb(in);
		return more <= decoding->room && put(decoding, 0, more + ZEROS_MOST + 1);
	}
	if (byte < BAREPROF_ITEM_REPEAT + REPEAT_MOST)
		return put(decoding, decoding->before, byte - BAREPROF_ITEM_REPEAT + 1u);
	if (byte > BAREPROF_ITEM_SMALL && byte < BAREPROF_ITEM_MIDDLE)
		return put(decoding, byte - BAREPROF_ITEM_SMALL, 1);
	if (byte >= BAREPROF_ITEM_MIDDLE && byte < BAREPROF_ITEM_LARGE) {
		more = take_fixed(in, 1);
		return put(decoding, BAREPROF_MIDDLE_MIN + (uint64_t)(byte - BAREPROF_ITEM_MIDDLE) * 256 + more, 1);
	}
	if (byte >= BAREPROF_ITEM_LARGE + LARGE_LEAST && byte <= BAREPROF_ITEM_LARGE + LARGE_MOST)
		return put(decoding, take_fixed(in, byte - BAREPROF_ITEM_LARGE), 1);
	return false;
}

bool tokens_decode(uint8_t *raw, size_t size, unsigned int coding, bool big, struct bytes coded)
{
	struct decoding decoding = {.in = cursor_of(coded),
		.raw = raw,
		.width = coding == BAREPROF_CODING_NUMBERS ? 8 : 1,
		.inverted = coding == BAREPROF_CODING_INVERTED,
		.big = big};

	if (coding == BAREPROF_CODING_STORED) {
		if (raw && size == coded.size && size)
			memcpy(raw, coded.data, size);
		return size == coded.size;
	}
	if (coding > BAREPROF_CODING_LAST || size % decoding.width)
		return false;
	decoding.room = size / decoding.width;
	while (decoding.in.at < decoding.in.end)
		if (!take_item(&decoding))
			return false;
	return !decoding.room;
}
