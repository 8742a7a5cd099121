/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_uniform.c - builds one block in place of several blocks whose code never ran. Most blocks of a
 * large image contain only such counters.
 */
#include "capture_blocks.h"

/*
 * Returns the coding of the block in @buf, whose last byte is before @end, if this is a DATA block in
 * which all numbers are 0. In a DATA block of zeros, all items are short runs of zeros. For all other
 * blocks, returns BAREPROF_CODING_STORED.
 */
static unsigned int zero_coding(uint8_t *buf, const uint8_t *end, const size_t *field, uint32_t tag)
{
	const uint8_t *payload;
	const uint8_t *item;

	if (*buf != BAREPROF_BLOCK_DATA)
		return BAREPROF_CODING_STORED;
	payload = bareprof_start_block(buf, field, tag); /* puts the same bytes again */
	for (item = payload + 1; item < end; item++)
		if (*item >= BAREPROF_ITEM_MORE)
			return BAREPROF_CODING_STORED;
	return *payload;
}

intptr_t bareprof_next_block(const struct bareprof_capture *capture, uint32_t *index, void *buf, size_t size)
{
	size_t field[BAREPROF_FIELDS] = {BAREPROF_BLOCK_DATA, capture->image->number, *index};
	unsigned int coding = BAREPROF_CODING_STORED;
	unsigned int count = 0;
	uint8_t *payload;

	for (; count < BAREPROF_UNIFORM_MAX; count++) {
		intptr_t n = bareprof_block(capture, *index, buf, size);
		unsigned int now;

		if (n < 0)
			return n;
		field[BAREPROF_FIELD_INDEX] = *index;
		now = zero_coding(buf, (uint8_t *)buf + n - 4, field, capture->tag);
		if (count && now != coding)
			break;
		++*index;
		if (now == BAREPROF_CODING_STORED)
			return n;
		coding = now;
	}
	field[BAREPROF_FIELD_INDEX] = *index - count;
	payload = bareprof_start_block(buf, field, capture->tag);
	payload[0] = BAREPROF_CODING_UNIFORM;
	payload[1] = coding == BAREPROF_CODING_INVERTED ? 0xff : 0;
	payload[2] = (uint8_t)count;
	return (intptr_t)bareprof_finish_block(buf, payload, payload + 3);
}
