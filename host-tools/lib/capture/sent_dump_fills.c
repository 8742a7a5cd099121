/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sent_dump_fills.c - find the blocks that only an earlier sending of a dump has, and the
 * proof that it was not the same dump: counts only grow.
 *
 *     index      0  1  2  3  4       first sending: 0 to 4
 *     first      a  b  c  d  e       second sending: block 2 was lost
 *     second     A  B     D  E       the dump is A B c D E, with one block filled
 */
#include "sent_dump_fills.h"
#include "counter_codec.h"
#include "stream_slice.h"

#include <bareprof/capture.h>
#include <bareprof/layout.h>
#include <bareprof/wire.h>

static bool came_again(const struct stored_block *block, size_t i, size_t count)
{
	return i + 1 < count && block[i + 1].index == block[i].index;
}

/* When the last sending started: nothing of it came before the first block that replaces another. */
static size_t last_sending(const struct stored_block *block, size_t count)
{
	size_t start = SIZE_MAX;
	size_t i;

	for (i = 1; i < count; i++)
		if (block[i].index == block[i - 1].index && !came_again(block, i, count) && block[i].order < start)
			start = block[i].order;
	return start;
}

static size_t count_filled(const struct stored_block *block, size_t count)
{
	size_t start = last_sending(block, count);
	size_t filled = 0;
	size_t i;

	for (i = 0; i < count && start != SIZE_MAX; i++)
		filled += !came_again(block, i, count) && block[i].order < start;
	return filled;
}

static bool find_begin(const struct sent_dump *sent, const struct capture *capture, struct begin *begin)
{
	const struct stored_block *block = capture->blocks + sent->first;

	return block->type == BAREPROF_BLOCK_BEGIN && !block->index &&
	       begin_read(begin, (struct bytes){capture->payloads.data + block->offset, block->size}) &&
	       begin->format == BAREPROF_WIRE_VERSION;
}

/* The bytes of @stored; false if they are not what @slice says. The caller frees them. */
static bool decode(const struct capture *capture, const struct stored_block *stored, const struct begin *begin,
	const struct stream_slice *slice, struct buffer *bytes)
{
	struct bytes payload = {capture->payloads.data + stored->offset, stored->size};
	bool big = begin->order == BAREPROF_ORDER_BIG;
	struct data data;

	if (slice->raw > BAREPROF_BLOCK_MAX || stored->type != BAREPROF_BLOCK_DATA || !data_read(&data, payload) ||
		!counters_decode(NULL, (size_t)slice->raw, data.coding, big, data.coded))
		return false;
	buffer_reserve(bytes, (size_t)slice->raw);
	bytes->size = (size_t)slice->raw;
	return counters_decode(bytes->data, bytes->size, data.coding, big, data.coded);
}

/* Is a counter of @later lower than in @earlier, or a bit of a bitmap gone? A byte counter falls from 255 to 0. */
static bool counts_fell(const struct begin *begin, uint8_t stream, struct bytes earlier, struct bytes later)
{
	bool bytes_fall = begin->version & BAREPROF_VARIANT_BYTE_COVERAGE;
	bool big = begin->order == BAREPROF_ORDER_BIG;
	size_t width = stream == BAREPROF_STREAM_BITMAP || bytes_fall ? 1 : 8;
	size_t i;

	for (i = 0; i + width <= earlier.size && i + width <= later.size; i += width) {
		uint64_t before = load_uint(earlier.data + i, (unsigned int)width, big);
		uint64_t after = load_uint(later.data + i, (unsigned int)width, big);

		if (stream == BAREPROF_STREAM_BITMAP ? (before & ~after) != 0 : bytes_fall ? after > before : after < before)
			return true;
	}
	return false;
}

/* Did counts fall between @first and the block after it, which has the same index? */
static bool block_fell(const struct capture *capture, const struct stored_block *first, const struct begin *begin)
{
	struct buffer earlier = {0};
	struct buffer later = {0};
	struct stream_slice slice;
	bool fell = first->index && stream_slice_find(begin, first->index, &slice) &&
	            (slice.stream == BAREPROF_STREAM_COUNTERS || slice.stream == BAREPROF_STREAM_BITMAP) &&
	            decode(capture, first, begin, &slice, &earlier) &&
	            decode(capture, first + 1, begin, &slice, &later) &&
	            counts_fell(begin, slice.stream, (struct bytes){earlier.data, earlier.size},
			    (struct bytes){later.data, later.size});

	buffer_free(&earlier);
	buffer_free(&later);
	return fell;
}

void sent_dump_note_fills(struct sent_dump *sent, const struct capture *capture)
{
	const struct stored_block *block = capture->blocks + sent->first;
	struct begin begin;
	size_t i;

	sent->filled = count_filled(block, sent->count);
	if (!sent->filled || !find_begin(sent, capture, &begin))
		return;
	for (i = 0; i + 1 < sent->count && !sent->fell; i++)
		if (came_again(block, i, sent->count) && block_fell(capture, &block[i], &begin))
			sent->fell = block[i].index;
}
