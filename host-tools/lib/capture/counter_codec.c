/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_codec.c - decodes items one after the other. Before the numbers of an item are written,
 * their count is compared with the room that is left.
 */
#include "counter_codec.h"
#include "block.h"

#include <bareprof/wire.h>
#include <string.h>

/*
 * The limits of items. An item of one byte has at most ZEROS_MAX zeros or REPEAT_MAX repeats. A large number has from
 * LARGE_MIN to LARGE_MAX bytes.
 */
#define ZEROS_MAX  (BAREPROF_ITEM_MORE - BAREPROF_ITEM_ZEROS)
#define REPEAT_MAX (BAREPROF_ITEM_SMALL - BAREPROF_ITEM_REPEAT)
#define LARGE_MIN  2u
#define LARGE_MAX  8u

struct counter_decoder {
	struct cursor in;
	uint8_t *raw; /* address for the next number; NULL: numbers are checked and not stored */
	uint64_t room; /* how many numbers still have to be decoded */
	uint64_t before; /* the previous number */
	unsigned int width; /* size of a number in bytes */
	unsigned int distance; /* DELTAS: a number is the difference to the word this many words before; otherwise 0 */
	const uint8_t *first; /* the start of the raw bytes */
	bool inverted;
	bool big;
};

/* Returns the word whose difference to an earlier word is @value. decoder->raw is the address of this word. */
static uint64_t add_difference(const struct counter_decoder *decoder, uint64_t value)
{
	size_t back = (size_t)decoder->distance * decoder->width;

	/* A difference below 0 is possible only with a distance above 1. Then the lowest bit has the sign. */
	if (decoder->distance > 1)
		value = value & 1 ? ~(value >> 1) : value >> 1;
	if ((size_t)(decoder->raw - decoder->first) >= back)
		value += load_uint(decoder->raw - back, decoder->width, decoder->big);
	return value;
}

/*
 * Writes @value @count times. Returns false if there is no room for @count numbers, or if @value
 * needs more than decoder->width bytes.
 */
static bool emit(struct counter_decoder *decoder, uint64_t value, uint64_t count)
{
	if (decoder->in.failed || count > decoder->room || (decoder->width < 8 && value >> 8 * decoder->width))
		return false;
	decoder->room -= count;
	decoder->before = value;
	for (; decoder->raw && count; count--) {
		uint64_t number = decoder->distance ? add_difference(decoder, value) : value;

		store_uint(decoder->raw, decoder->inverted ? ~number : number, decoder->width, decoder->big);
		decoder->raw += decoder->width;
	}
	return true;
}

static bool take_item(struct counter_decoder *decoder)
{
	struct cursor *in = &decoder->in;
	uint8_t byte = (uint8_t)take_fixed(in, 1);
	uint64_t more;

	if (byte < BAREPROF_ITEM_MORE)
		return emit(decoder, 0, byte - BAREPROF_ITEM_ZEROS + 1u);
	if (byte == BAREPROF_ITEM_MORE) {
		more = take_uleb(in);
		return more <= decoder->room && emit(decoder, 0, more + ZEROS_MAX + 1);
	}
	if (byte < BAREPROF_ITEM_REPEAT + REPEAT_MAX)
		return emit(decoder, decoder->before, byte - BAREPROF_ITEM_REPEAT + 1u);
	if (byte > BAREPROF_ITEM_SMALL && byte < BAREPROF_ITEM_MIDDLE)
		return emit(decoder, byte - BAREPROF_ITEM_SMALL, 1);
	if (byte >= BAREPROF_ITEM_MIDDLE && byte < BAREPROF_ITEM_LARGE) {
		more = take_fixed(in, 1);
		return emit(decoder, BAREPROF_MIDDLE_MIN + (uint64_t)(byte - BAREPROF_ITEM_MIDDLE) * 256 + more, 1);
	}
	if (byte >= BAREPROF_ITEM_LARGE + LARGE_MIN && byte <= BAREPROF_ITEM_LARGE + LARGE_MAX)
		return emit(decoder, take_fixed(in, byte - BAREPROF_ITEM_LARGE), 1);
	return false;
}

/* Decodes one of the blocks for which a uniform block stands. */
static bool fill(uint8_t *raw, size_t size, struct bytes coded)
{
	struct uniform uniform;

	if (!uniform_read(&uniform, coded))
		return false;
	if (raw && size)
		memset(raw, uniform.value, size);
	return true;
}

bool counters_decode(uint8_t *raw, size_t size, unsigned int coding, bool big, struct bytes coded)
{
	struct counter_decoder decoder = {.in = cursor_of(coded),
		.raw = raw,
		.first = raw,
		.width = coding == BAREPROF_CODING_NUMBERS  ? 8
	                 : coding == BAREPROF_CODING_DELTAS ? 4
	                                                    : 1,
		.inverted = coding == BAREPROF_CODING_INVERTED,
		.big = big};

	if (coding == BAREPROF_CODING_STORED) {
		if (raw && size == coded.size && size)
			memcpy(raw, coded.data, size);
		return size == coded.size;
	}
	if (coding == BAREPROF_CODING_UNIFORM)
		return fill(raw, size, coded);
	if (coding > BAREPROF_CODING_LAST || size % decoder.width)
		return false;
	if (coding == BAREPROF_CODING_DELTAS) {
		decoder.distance = (unsigned int)take_fixed(&decoder.in, 1);
		if (!decoder.distance)
			return false;
	}
	decoder.room = size / decoder.width;
	while (decoder.in.at < decoder.in.end)
		if (!take_item(&decoder))
			return false;
	return !decoder.room;
}
