/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_codec.c - packs counters into items of one or a few bytes (docs/SPEC.md, 1.7).
 * This is possible because most counters are zero, small, or equal to the counter before.
 *
 * The last item that was put may be a run of equal counters. If the next counter extends
 * this run, the code adds 1 to the item. So each item is valid as soon as it is put, and the
 * end of the block needs no special code. More than 63 zeros take several items, each of
 * which stands for at most 504 bytes of counters. With BAREPROF_ITEM_MORE these zeros would
 * take one item. That would save few bytes, and need more code.
 *
 * For example the numbers 0 0 0 7 7 7 40 70000 become
 *
 *	02            zeros, 3 of them
 *	67            7
 *	41            the same number again, 2 times
 *	80 08         40, as 32 + 8
 *	c3 70 11 01   70000, in 3 bytes
 */
#include <bareprof/sample.h>

#include "capture_blocks.h"

#if !BAREPROF_STORES

typedef uintptr_t __attribute__((may_alias)) counter_word;

/*
 * On 32-bit targets a counter has two words. LOW is the index of the lower word, and HIGH
 * is the index of the upper word.
 */
#define LOW  (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 / sizeof(counter_word) - 1 : 0)
#define HIGH (1 - LOW)

/* Puts the item of one number at @p; returns the item's end. */
static uint8_t *put_number(uint8_t *p, uintptr_t number)
{
	uintptr_t above = number - BAREPROF_MIDDLE_MIN;
	unsigned int head = BAREPROF_ITEM_MIDDLE + (unsigned int)(above >> 8);
	uint8_t *first = p++;

	if (number < BAREPROF_MIDDLE_MIN) {
		head = BAREPROF_ITEM_SMALL + (unsigned int)number;
	} else if (above <= BAREPROF_MIDDLE_MAX - BAREPROF_MIDDLE_MIN) {
		*p++ = (uint8_t)above;
	} else {
		do {
			*p++ = (uint8_t)number;
			number >>= 8;
		} while (number);
		head = BAREPROF_ITEM_LARGE - 1 + (unsigned int)(p - first);
	}
	*first = (uint8_t)head;
	return p;
}

/*
 * Returns the number for a word of the coding DELTAS: its difference to the word @distance words before it, or to 0 if
 * that word is before the word @first of the block. With a distance above 1, the difference may be less than 0. Then the
 * sign is in the lowest bit.
 */
static inline BAREPROF_UNUSED uint32_t word_difference(
	const uint32_t *word, const uint32_t *first, unsigned int distance)
{
	uint32_t number = *word;

	if ((size_t)(word - first) >= distance)
		number -= *(word - distance);
	if (distance > 1)
		number = number << 1 ^ (number >> 31 ? 0xffffffff : 0);
	return number;
}

/*
 * Puts the items for @raw bytes at @p. Returns the end of the items, or NULL if they would
 * not take fewer than @raw bytes.
 */
static uint8_t *put_items(uint8_t *p, const void *from, size_t raw, unsigned int coding)
{
	const uint8_t *at = from;
	const uint8_t *end = at + raw;
	const uint8_t *max = p + raw;
	uintptr_t before = 0;
	uint8_t full = 0; /* if the last item is a run: the largest value that the item may have; otherwise 0 */

	if (BAREPROF_SERVES_SAMPLES && coding >> 8)
		*p++ = (uint8_t)(coding >> 8);
	do {
		uintptr_t number;
		int same;

		if (BAREPROF_SERVES_SAMPLES && coding >> 8) {
			number = word_difference((const uint32_t *)at, from, coding >> 8);
			at += 4;
		} else if (coding == BAREPROF_CODING_NUMBERS) {
			const volatile counter_word *word = (const volatile counter_word *)at;

			number = word[LOW];
			/*
			 * Counts of 2^32 and more are rare on 32-bit targets. A block with
			 * such a count is stored without items.
			 */
			if (sizeof(number) < 8 && word[HIGH])
				return NULL;
			at += 8;
		} else {
			number = *(const volatile uint8_t *)at++;
			if (coding == BAREPROF_CODING_INVERTED)
				number ^= 0xff;
		}
		same = number == before;
		before = number;
		if (same && p[-1] < full) {
			p[-1]++;
			continue;
		}
		if (!number) {
			*p++ = BAREPROF_ITEM_ZEROS;
			full = BAREPROF_ITEM_MORE - 1;
		} else if (same) {
			*p++ = BAREPROF_ITEM_REPEAT;
			full = BAREPROF_ITEM_SMALL - 1;
		} else {
			p = put_number(p, number);
			full = 0;
		}
		if (p >= max)
			return NULL;
	} while (at < end);
	return p;
}

uint8_t *bareprof_put_data(uint8_t *p, struct bareprof_slice *left, size_t span, unsigned int coding)
{
	const uint8_t *from = left->start;
	uint8_t *end;

	if (span > left->size)
		span = left->size;
	left->start = from + span;
	left->size -= span;
	end = put_items(p + 1, from, span, coding);
	*p = (uint8_t)coding;
	if (!end) {
		*p++ = BAREPROF_CODING_STORED;
		bareprof_copy(p, from, span);
		end = p + span;
	}
	return end;
}

#endif
