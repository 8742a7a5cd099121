/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_fills.c - for a dump that was sent more than once, finds the blocks that arrived only in an
 * earlier transmission. Also checks that all transmissions sent the same dump. Counts only grow, so
 * a count that is lower in a later transmission proves that this transmission sent a different dump.
 *
 *     index      0  1  2  3  4       sent first: blocks 0 to 4
 *     first      a  b  c  d  e       sent again: block 2 was lost
 *     second     A  B     D  E       the dump is A B c D E, with one block filled
 */
#include "dump_fills.h"
#include "counter_codec.h"
#include "stream_slice.h"

#include <bareprof/capture.h>
#include <bareprof/layout.h>
#include <bareprof/wire.h>

static bool came_again(const struct stored_block *block, size_t i, size_t count)
{
	return i + 1 < count && block[i + 1].index == block[i].index;
}

/*
 * Returns the position in the input at which the last transmission of the dump starts. The last transmission starts
 * with the first block in the input for which two conditions hold: an earlier block has the same index, and no later
 * block has that index.
 */
static size_t last_transmission(const struct stored_block *block, size_t count)
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
	size_t start = last_transmission(block, count);
	size_t filled = 0;
	size_t i;

	for (i = 0; i < count && start != SIZE_MAX; i++)
		filled += !came_again(block, i, count) && block[i].order < start;
	return filled;
}

static struct bytes payload(const uint8_t *payloads, const struct stored_block *stored)
{
	return (struct bytes){payloads + stored->offset, stored->size};
}

/*
 * Decodes @stored into @bytes, which the caller frees. Returns false if @stored is not a DATA block
 * or does not decode to the size of @slice.
 */
static bool decode(const uint8_t *payloads, const struct stored_block *stored, const struct begin *begin,
	const struct stream_slice *slice, struct buffer *bytes)
{
	bool big = begin->order == BAREPROF_ORDER_BIG;
	struct data data;

	if (slice->raw > BAREPROF_BLOCK_MAX || stored->type != BAREPROF_BLOCK_DATA ||
		!data_read(&data, payload(payloads, stored)) ||
		!counters_decode(NULL, (size_t)slice->raw, data.coding, big, data.coded))
		return false;
	buffer_reserve(bytes, (size_t)slice->raw);
	bytes->size = (size_t)slice->raw;
	return counters_decode(bytes->data, bytes->size, data.coding, big, data.coded);
}

/*
 * Returns whether a counter is lower in @later than in @earlier, or a bit of a bitmap is 1
 * in @earlier and 0 in @later. A byte counter changes from 255 to 0 when its code runs. So for byte counters, returns
 * whether a counter is higher in @later than in @earlier.
 */
static bool counts_fell(const struct begin *begin, uint8_t stream, struct bytes earlier, struct bytes later)
{
	bool bytes_fall = begin->version & BAREPROF_VARIANT_BYTE_COVERAGE;
	bool big = begin->order == BAREPROF_ORDER_BIG;
	size_t width = stream == BAREPROF_STREAM_BITMAP || bytes_fall ? 1 : 8;
	size_t i;

	for (i = 0; i + width <= earlier.size && i + width <= later.size; i += width) {
		uint64_t before = load_uint(earlier.data + i, (unsigned int)width, big);
		uint64_t after = load_uint(later.data + i, (unsigned int)width, big);

		if (stream == BAREPROF_STREAM_BITMAP ? (before & ~after) != 0
			: bytes_fall                 ? after > before
						     : after < before)
			return true;
	}
	return false;
}

/*
 * Compares the blocks @first[0] and @first[1], which have the same index. @first[1] arrived later. Returns whether a count
 * is lower in it. Sets fills->changed if a count differs.
 */
static bool block_fell(
	struct dump_fills *fills, const uint8_t *payloads, const struct stored_block *first, const struct begin *begin)
{
	struct buffer earlier = {0};
	struct buffer later = {0};
	struct stream_slice slice;
	bool fell = false;

	if (first->index && stream_slice_find(begin, first->index, &slice) &&
		(slice.stream == BAREPROF_STREAM_COUNTERS || slice.stream == BAREPROF_STREAM_BITMAP) &&
		decode(payloads, first, begin, &slice, &earlier) &&
		decode(payloads, first + 1, begin, &slice, &later)) {
		fell = counts_fell(begin, slice.stream, (struct bytes){earlier.data, earlier.size},
			(struct bytes){later.data, later.size});
		fills->changed |= memcmp(earlier.data, later.data, earlier.size) != 0;
	}
	buffer_free(&earlier);
	buffer_free(&later);
	return fell;
}

void dump_fills_find(struct dump_fills *fills, const struct stored_block *block, size_t count, const uint8_t *payloads)
{
	struct begin begin;
	size_t i;

	*fills = (struct dump_fills){.count = count_filled(block, count)};
	/* Without BEGIN, the blocks cannot be decoded and compared. */
	if (!fills->count || block->type != BAREPROF_BLOCK_BEGIN || !begin_read(&begin, payload(payloads, block)) ||
		begin.format != BAREPROF_WIRE_VERSION)
		return;
	for (i = 0; i < count && !fills->fell; i++)
		if (came_again(block, i, count) && block_fell(fills, payloads, &block[i], &begin))
			fills->fell = block[i].index;
}

void dump_fills_tell(const struct dump_fills *fills, struct buffer *text)
{
	bool one = fills->count == 1;

	buffer_printf(text, "%zu block%s from an earlier %s, because the last one lost %s", fills->count,
		one ? "" : "s", fills->changed ? "dump of this boot" : "transmission of the same dump",
		one ? "it" : "them");
	if (fills->changed)
		buffer_printf(text,
			": code ran between the dumps, so the counts in %s may be older than the others; dump again "
			"for "
			"the counts of one moment",
			one ? "this block" : "these blocks");
}
