/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_codec.c - counters as items of a byte or a few: most are zero, or small, or
 * like the one before (docs/SPEC.md, 1.7).
 *
 * An item of several numbers grows in place, so that nothing is left to put at the
 * end. Zeros beyond 63 begin a further item: where one stands for 504 bytes of
 * counters, BAREPROF_ITEM_MORE would cost more code than it saves.
 */
#include "capture_blocks.h"

typedef uintptr_t __attribute__((may_alias)) counter_word;

/* On 32-bit targets a counter is two words. */
#define LOW  (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 / sizeof(counter_word) - 1 : 0)
#define HIGH (1 - LOW)

/* The end of the items; or NULL if they would not be shorter than what they stand for. */
static uint8_t *put_tokens(uint8_t *p, const void *from, size_t raw, unsigned int coding)
{
	const uint8_t *at = from;
	const uint8_t *end = at + raw;
	const uint8_t *most = p + raw;
	uintptr_t before = 0;
	unsigned int limit = 0; /* what the byte before @p may grow to */

	do {
		uintptr_t number;
		uintptr_t rest = before;
		unsigned int head;
		uint8_t *item = p;

		if (coding == BAREPROF_CODING_NUMBERS) {
			const volatile counter_word *word = (const volatile counter_word *)at;

			number = word[LOW];
			/* Rare where 64 bits take two words: such a block is stored. */
			if (sizeof(number) < 8 && word[HIGH])
				return NULL;
			at += 8;
		} else {
			number = *(const volatile uint8_t *)at++;
			if (coding == BAREPROF_CODING_INVERTED)
				number ^= 0xff;
		}
		before = number;
		if (number == rest && p[-1] < limit) {
			p[-1]++;
			continue;
		}
		p++;
		if (!number) {
			limit = BAREPROF_ITEM_MORE - 1;
			head = BAREPROF_ITEM_ZEROS;
		} else if (number == rest) {
			limit = BAREPROF_ITEM_SMALL - 1;
			head = BAREPROF_ITEM_REPEAT;
		} else {
			limit = 0;
			rest = number - BAREPROF_MIDDLE_MIN;
			head = BAREPROF_ITEM_MIDDLE + (unsigned int)(rest >> 8);
			if (number < BAREPROF_MIDDLE_MIN) {
				head = BAREPROF_ITEM_SMALL + (unsigned int)number;
			} else if (number <= BAREPROF_MIDDLE_MAX) {
				*p++ = (uint8_t)rest;
			} else {
				do {
					*p++ = (uint8_t)number;
					number >>= 8;
				} while (number);
				head = BAREPROF_ITEM_LARGE - 1 + (unsigned int)(p - item);
			}
		}
		*item = (uint8_t)head;
		if (p >= most)
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
	end = put_tokens(p + 1, from, span, coding);
	*p = (uint8_t)coding;
	if (!end) {
		*p++ = BAREPROF_CODING_STORED;
		bareprof_copy(p, from, span);
		end = p + span;
	}
	return end;
}
