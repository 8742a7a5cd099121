/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * utf16.c - recognises UTF-16 and turns it into UTF-8.
 */
#include "utf16.h"

/* The maximum number of UTF-16 units that are read to decide whether a file is text. */
#define SAMPLE 2048u

/* The minimum number of units that prove UTF-16 without a byte order mark. */
#define UNMARKED_MIN 8u

#define REPLACEMENT 0xfffdu

static uint32_t unit_at(struct bytes bytes, size_t offset)
{
	return (uint32_t)load_uint(bytes.data + offset, 2, bytes.data[0] == 0xfe);
}

bool utf16_is_text(struct bytes bytes)
{
	size_t ascii = 0;
	size_t units = 0;

	if (bytes.size < 4 || unit_at(bytes, 0) != 0xfeff)
		return false;
	for (; units < SAMPLE && 2 * units + 4 <= bytes.size; units++) {
		uint32_t unit = unit_at(bytes, 2 * units + 2);

		ascii += unit && unit < 0x80;
	}
	return ascii > units / 2;
}

/* Returns the number of printable ASCII characters and white space among the first @units units. */
static size_t count_printable(struct bytes bytes, size_t units, bool big)
{
	size_t printable = 0;
	size_t i;

	for (i = 0; i < units; i++) {
		uint64_t unit = load_uint(bytes.data + 2 * i, 2, big);

		printable += (unit >= ' ' && unit < 0x7f) || unit == '\t' || unit == '\n' || unit == '\r';
	}
	return printable;
}

bool utf16_is_unmarked(struct bytes bytes, bool *big)
{
	size_t units = bytes.size / 2 < SAMPLE ? bytes.size / 2 : SAMPLE;
	size_t enough = units - units / 10;

	*big = units && count_printable(bytes, units, true) >= enough;
	return units >= UNMARKED_MIN && (*big || count_printable(bytes, units, false) >= enough);
}

static void add_character(struct buffer *text, uint32_t c)
{
	uint8_t bytes[4];
	size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	size_t i;

	for (i = size; i-- > 1; c >>= 6)
		bytes[i] = (uint8_t)(0x80 | (c & 0x3f));
	bytes[0] = (uint8_t)(size == 1 ? c : (0xf00u >> size & 0xf0) | c);
	buffer_add(text, bytes, size);
}

void utf16_decode(struct buffer *text, struct bytes bytes)
{
	size_t offset;

	buffer_reserve(text, bytes.size);
	for (offset = 2; offset + 2 <= bytes.size; offset += 2) {
		uint32_t c = unit_at(bytes, offset);
		uint32_t low = offset + 4 <= bytes.size ? unit_at(bytes, offset + 2) : 0;

		if (c >= 0xd800 && c < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			offset += 2;
		} else if (c >= 0xd800 && c < 0xe000) {
			c = REPLACEMENT;
		}
		add_character(text, c);
	}
	if (offset < bytes.size)
		add_character(text, REPLACEMENT);
}
