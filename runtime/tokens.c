/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tokens.c - counters as items of a byte or a few: most are zero, or small, or
 * like the one before (docs/SPEC.md, 1.7).
 *
 * An item of several numbers grows in place, so there is nothing to put at the
 * end. Zeros beyond 63 begin a further item: at 504 bytes of counters in one,
 * BAREPROF_ITEM_MORE would cost more code than it saves.
 */
#include "blocks.h"

typedef uint64_t __attribute__((may_alias, aligned(sizeof(uintptr_t)))) any_u64;

uint8_t *bareprof_tokens(uint8_t *p, const void *from, size_t raw, unsigned int coding)
{
	const uint8_t *at = from;
	const uint8_t *end = at + raw;
	const uint8_t *most = p + raw;
	uint64_t before = 0;
	unsigned int room = 0; /* how many numbers more the last item can take */

	for (; at < end; at++) {
		uint64_t number;
		uint32_t low;

		if (coding == BAREPROF_CODING_NUMBERS) {
			number = *(const volatile any_u64 *)at;
			at += 7;
		} else {
			number = *(const volatile uint8_t *)at;
			if (coding == BAREPROF_CODING_INVERTED)
				number ^= 0xff;
		}
		low = (uint32_t)number;
		if (number == before && room) {
			room--;
			p[-1]++;
			continue;
		}
		room = 0;
		if (!number) {
			*p++ = BAREPROF_ITEM_ZEROS;
			room = 62;
		} else if (number == before) {
			*p++ = BAREPROF_ITEM_REPEAT;
			room = 31;
		} else if (number < BAREPROF_MIDDLE_LEAST) {
			*p++ = (uint8_t)(BAREPROF_ITEM_SMALL + low);
		} else if (number <= BAREPROF_MIDDLE_MOST) {
			low -= BAREPROF_MIDDLE_LEAST;
			*p++ = (uint8_t)(BAREPROF_ITEM_MIDDLE + (low >> 8));
			*p++ = (uint8_t)low;
		} else {
			uint8_t *item = p++;
			uint64_t rest;

			for (rest = number; rest; rest >>= 8)
				*p++ = (uint8_t)rest;
			*item = (uint8_t)(BAREPROF_ITEM_LARGE + (unsigned int)(p - item) - 1);
		}
		before = number;
		if (p >= most)
			return NULL;
	}
	return p;
}
