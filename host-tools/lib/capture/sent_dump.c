/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sent_dump.c - sorts blocks into dumps, checks each dump, and decodes its streams. These steps need an amount
 * of memory that depends only on the blocks that arrived, and not on the sizes that BEGIN announces.
 */
#include "sent_dump.h"
#include "counter_codec.h"
#include "stream_slice.h"

#include <bareprof/capture.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_block(struct capture *capture, const struct block *block)
{
	struct stored_block *stored;

	capture->blocks = array_grow(capture->blocks, capture->count, &capture->room, sizeof(*capture->blocks));
	stored = &capture->blocks[capture->count];
	stored->image = block->image;
	stored->tag = block->tag;
	stored->index = block->index;
	stored->type = block->type;
	stored->order = capture->count++;
	stored->offset = capture->payloads.size;
	stored->size = block->payload.size;
	buffer_add(&capture->payloads, block->payload.data, block->payload.size);
}

/* Stores each block for which a uniform block stands as a uniform block of its own. */
void capture_add(void *context, const struct block *block)
{
	struct block one = *block;
	unsigned int count = block_count(block);
	uint8_t payload[3];

	if (count > 1) {
		memcpy(payload, block->payload.data, 2); /* the coding and the value of the raw bytes */
		payload[2] = 1;
		one.payload = (struct bytes){payload, sizeof(payload)};
	}
	for (; count; count--, one.index++)
		add_block(context, &one);
}

/* Compares two blocks by dump, then by index, then by the order of arrival. */
static int compare_blocks(const void *left, const void *right)
{
	const struct stored_block *a = left;
	const struct stored_block *b = right;

	if (a->image != b->image)
		return compare_uint(a->image, b->image);
	if (a->tag != b->tag)
		return compare_uint(a->tag, b->tag);
	if (a->index != b->index)
		return compare_uint(a->index, b->index);
	return compare_uint(a->order, b->order);
}

static int compare_dumps(const void *left, const void *right)
{
	return compare_uint(((const struct sent_dump *)left)->started, ((const struct sent_dump *)right)->started);
}

static struct bytes payload(const struct capture *capture, const struct stored_block *stored)
{
	return (struct bytes){capture->payloads.data + stored->offset, stored->size};
}

const struct stream *streams_find(const struct streams *streams, uint8_t number)
{
	size_t i;

	for (i = 0; i < streams->count && i < STREAMS_MAX; i++)
		if (streams->stream[i].number == number)
			return &streams->stream[i];
	return NULL;
}

uint64_t streams_size(const struct streams *streams, uint8_t number)
{
	const struct stream *stream = streams_find(streams, number);

	return stream ? stream->size : 0;
}

static void unusable(struct sent_dump *sent, const char *what, uint64_t index)
{
	sent->state = DUMP_UNUSABLE;
	error_set(&sent->problem, STATUS_INVALID_INPUT, "block %" PRIu64 " of the dump %08" PRIx32 " %s", index,
		sent->tag, what);
}

/*
 * Returns whether all streams are known. A dump has either a .profraw as its only stream, or
 * counters with or without bitmaps and values, or raw sections of a machine profile, or samples.
 * begin_read() has checked that the stream numbers ascend.
 */
static bool known_streams(const struct streams *streams)
{
	const struct stream *stream = streams->stream;

	if (stream[0].number == BAREPROF_STREAM_PROFRAW || stream[0].number == BAREPROF_STREAM_SAMPLES)
		return streams->count == 1;
	if (stream[0].number >= BAREPROF_STREAM_MIP_COV)
		return streams->count <= 4 && stream[streams->count - 1].number <= BAREPROF_STREAM_MIP_SMP;
	return stream[0].number == BAREPROF_STREAM_COUNTERS && streams->count < STREAMS_MAX &&
	       stream[streams->count - 1].number <= BAREPROF_STREAM_DROPPED;
}

/* Returns whether the streams of value sites, values and dropped values in BEGIN are consistent with each other. */
static bool values_agree(const struct begin *begin)
{
	const struct stream *sites = streams_find(&begin->streams, BAREPROF_STREAM_SITES);
	const struct stream *values = streams_find(&begin->streams, BAREPROF_STREAM_VALUES);
	const struct stream *dropped = streams_find(&begin->streams, BAREPROF_STREAM_DROPPED);

	if (values && (values->size % BAREPROF_VALUE_PAIR ||
			      (values->size > begin->span && begin->span % BAREPROF_VALUE_PAIR)))
		return false;
	return !sites == !values && (!dropped || dropped->size == begin->width);
}

static void read_begin(struct sent_dump *sent, const struct capture *capture, const struct stored_block *stored)
{
	const struct streams *streams = &sent->begin.streams;

	sent->begin_block = stored;
	if (stored->index || !begin_read(&sent->begin, payload(capture, stored)))
		unusable(sent,
			"is a malformed BEGIN, although its checksum is right: the writer on the target has a bug",
			stored->index);
	else if (sent->begin.format != BAREPROF_WIRE_VERSION)
		unusable(sent, "has a capture format that this bareprof does not know; use a newer bareprof", 0);
	else if (!known_streams(streams))
		unusable(sent, "announces data that this bareprof does not know; use a newer bareprof", 0);
	else if (!values_agree(&sent->begin))
		unusable(sent, "announces values with impossible sizes: the writer on the target has a bug", 0);
	sent->counters = sent->state != DUMP_UNUSABLE && streams->stream[0].number == BAREPROF_STREAM_COUNTERS;
	sent->samples = sent->state != DUMP_UNUSABLE && streams->stream[0].number == BAREPROF_STREAM_SAMPLES;
	sent->machine =
		sent->state != DUMP_UNUSABLE && streams->stream[0].number >= BAREPROF_STREAM_MIP_COV && !sent->samples;
}

/* Reads a BEGIN or END block. A malformed block makes the dump unusable. */
static void read_ends(struct sent_dump *sent, const struct capture *capture, const struct stored_block *stored)
{
	if (stored->type == BAREPROF_BLOCK_BEGIN) {
		read_begin(sent, capture, stored);
		return;
	}
	sent->end_block = stored;
	if (!stored->index)
		unusable(sent, "is a malformed END, although its checksum is right: the writer on the target has a bug",
			stored->index);
}

/*
 * If several blocks have one index, drops all of them except the last. Also drops blocks of unknown types that a reader
 * may ignore. A block of any other unknown type makes the dump unusable. Afterwards sent->count is the number of blocks
 * that remain, sorted by index.
 */
static void drop_duplicates(struct sent_dump *sent, struct capture *capture)
{
	struct stored_block *block = capture->blocks + sent->first;
	size_t kept = 0;
	size_t i;

	for (i = 0; i < sent->count; i++) {
		if (block[i].type < BAREPROF_BLOCK_BEGIN || block[i].type > BAREPROF_BLOCK_END) {
			if (!(block[i].type & BAREPROF_BLOCK_IGNORABLE))
				unusable(sent, "has a type that this bareprof does not know; use a newer bareprof",
					block[i].index);
			continue;
		}
		if (kept && block[kept - 1].index == block[i].index) {
			if (block[kept - 1].type != block[i].type)
				unusable(sent,
					"arrived twice, as blocks of different types: the writer on the target has a "
					"bug, or two dumps have this tag",
					block[i].index);
			capture->duplicates++;
			kept--;
		}
		block[kept++] = block[i];
	}
	sent->count = kept;
}

const char *sent_dump_content(const struct sent_dump *sent)
{
	bool values = streams_find(&sent->begin.streams, BAREPROF_STREAM_VALUES);

	if (sent->machine)
		return "the raw bytes of a machine profile";
	if (sent->samples)
		return "samples of the program counter";
	return values ? "counters and values" : "counters";
}

const char *sent_dump_reader(const struct sent_dump *sent)
{
	return sent->machine ? "bareprof mip merge" : sent->samples ? "bareprof sample merge" : NULL;
}

/* Returns whether the dump of a machine profile has raw bytes of functions. Samples belong to no function. */
static bool has_raw_bytes(const struct streams *streams)
{
	return streams_size(streams, BAREPROF_STREAM_MIP_COV) || streams_size(streams, BAREPROF_STREAM_MIP_CALLS) ||
	       streams_size(streams, BAREPROF_STREAM_MIP_BLK);
}

static void check_ends(struct sent_dump *sent)
{
	const struct begin *begin = &sent->begin;

	if (sent->begin_block && sent->end_block && sent->end_block->index != begin_last(begin))
		unusable(sent,
			"is an END whose number does not agree with BEGIN: the writer on the target has a bug, or two "
			"dumps have this tag",
			sent->end_block->index);
	if (sent->begin_block)
		sent->last = begin_last(begin);
	else if (sent->end_block)
		sent->last = sent->end_block->index;
	if (!sent->begin_block || sent->state == DUMP_UNUSABLE ||
		(sent->machine ? has_raw_bytes(&begin->streams) : begin->streams.stream[0].size))
		return;
	unusable(sent,
		sent->machine   ? "announces a machine profile without raw bytes: compile the image with "
				  "'bareprof mip cc', and link it with mip.ld"
		: sent->samples ? "announces samples, but not the header that is before them: the writer on the target "
				  "has a bug"
		: sent->counters ? "announces an image without counters: link the image from instrumented objects"
				 : "announces an empty .profraw: the image has no records in memory; link the image so "
				   "that its records are loaded, or send only the counters (bareprof_capture_open())",
		0);
}

/*
 * Checks a DATA block with the payload @bytes. The index of the block determines how many bytes of the stream the block
 * covers. The payload must decode to exactly this number of bytes.
 */
static void check_data(struct sent_dump *sent, const struct stored_block *stored, struct bytes bytes)
{
	const struct begin *begin = &sent->begin;
	struct stream_slice slice;
	struct data data;

	if (!data_read(&data, bytes) || !stored->index)
		unusable(sent, "is malformed", stored->index);
	else if (data.coding > BAREPROF_CODING_LAST)
		unusable(sent, "has a coding that this bareprof does not know; use a newer bareprof", stored->index);
	else if (!sent->begin_block)
		return;
	else if (!stream_slice_find(begin, stored->index, &slice))
		unusable(sent, "comes after the last block that BEGIN announces", stored->index);
	else if (data.coding == BAREPROF_CODING_STORED ? data.coded.size != slice.raw : slice.raw > BAREPROF_BLOCK_MAX)
		unusable(sent, "does not have the number of bytes that BEGIN announces", stored->index);
	else if (!counters_decode(NULL, (size_t)slice.raw, data.coding, begin->order == BAREPROF_ORDER_BIG, data.coded))
		unusable(sent,
			"has data that cannot be decoded, although its checksum is right: the writer on the target has "
			"a bug",
			stored->index);
}

static void add_missing(struct sent_dump *sent, size_t *room, uint64_t first, uint64_t last)
{
	sent->missing = array_grow(sent->missing, sent->missing_count, room, sizeof(*sent->missing));
	sent->missing[sent->missing_count++] = (struct block_range){first, last};
}

/* Lists the blocks that did not arrive. An entry of the list is a range of blocks, such as 7 to 9. */
static void find_missing(struct sent_dump *sent, const struct capture *capture)
{
	const struct stored_block *block = capture->blocks + sent->first;
	uint64_t next = 0;
	size_t room = 0;
	size_t i;

	for (i = 0; i < sent->count; i++) {
		if (block[i].index > next)
			add_missing(sent, &room, next, block[i].index - 1);
		next = block[i].index + 1;
	}
	if (sent->last && next <= sent->last)
		add_missing(sent, &room, next, sent->last);
	if ((sent->missing_count || !sent->begin_block || !sent->end_block) && sent->state == DUMP_COMPLETE)
		sent->state = DUMP_INCOMPLETE;
}

static void judge_dump(struct sent_dump *sent, struct capture *capture)
{
	size_t i;

	dump_fills_find(&sent->fills, capture->blocks + sent->first, sent->count, capture->payloads.data);
	drop_duplicates(sent, capture);
	for (i = 0; i < sent->count; i++) {
		const struct stored_block *block = &capture->blocks[sent->first + i];

		if (block->type != BAREPROF_BLOCK_DATA)
			read_ends(sent, capture, block);
	}
	if (sent->state != DUMP_UNUSABLE)
		check_ends(sent);
	for (i = 0; i < sent->count && sent->state != DUMP_UNUSABLE; i++) {
		const struct stored_block *block = &capture->blocks[sent->first + i];

		if (block->type == BAREPROF_BLOCK_DATA)
			check_data(sent, block, payload(capture, block));
	}
	if (sent->fills.fell && sent->state != DUMP_UNUSABLE)
		unusable(sent,
			"arrived twice, and some counts are lower the second time, so two different dumps have this "
			"tag: give them different nonces, and dump again",
			sent->fills.fell);
	find_missing(sent, capture);
}

/*
 * Returns the position in the input of the first BEGIN of a dump. If the dump has no BEGIN, returns
 * the position of its first block.
 */
static size_t started(const struct stored_block *block, size_t count)
{
	size_t any = SIZE_MAX;
	size_t begin = SIZE_MAX;
	size_t i;

	for (i = 0; i < count; i++) {
		if (block[i].order < any)
			any = block[i].order;
		if (block[i].type == BAREPROF_BLOCK_BEGIN && block[i].order < begin)
			begin = block[i].order;
	}
	return begin != SIZE_MAX ? begin : any;
}

void capture_finish(struct capture *capture)
{
	size_t room = 0;
	size_t i;
	size_t n;

	if (capture->count)
		qsort(capture->blocks, capture->count, sizeof(*capture->blocks), compare_blocks);
	for (i = 0; i < capture->count; i += n) {
		const struct stored_block *block = &capture->blocks[i];
		struct sent_dump *sent;

		for (n = 1; i + n < capture->count && block[n].image == block->image && block[n].tag == block->tag;)
			n++;
		capture->sent_dumps =
			array_grow(capture->sent_dumps, capture->sent_count, &room, sizeof(*capture->sent_dumps));
		sent = &capture->sent_dumps[capture->sent_count++];
		*sent = (struct sent_dump){0};
		sent->tag = block->tag;
		sent->image = block->image;
		sent->first = i;
		sent->count = n;
		sent->started = started(block, n);
		judge_dump(sent, capture);
	}
	if (capture->sent_count)
		qsort(capture->sent_dumps, capture->sent_count, sizeof(*capture->sent_dumps), compare_dumps);
}

void capture_free(struct capture *capture)
{
	size_t i;

	for (i = 0; i < capture->sent_count; i++)
		free(capture->sent_dumps[i].missing);
	free(capture->sent_dumps);
	free(capture->blocks);
	buffer_free(&capture->payloads);
	*capture = (struct capture){0};
}

void sent_dump_stream(
	const struct capture *capture, const struct sent_dump *sent, uint8_t number, struct sparse_buffer *buffer)
{
	bool big = sent->begin.order == BAREPROF_ORDER_BIG;
	size_t i;

	for (i = 0; i < sent->count; i++) {
		const struct stored_block *block = &capture->blocks[sent->first + i];
		struct stream_slice slice;
		struct data data;

		if (block->type == BAREPROF_BLOCK_DATA && data_read(&data, payload(capture, block)) &&
			stream_slice_find(&sent->begin, block->index, &slice) && slice.stream == number)
			counters_decode(sparse_buffer_add(buffer, slice.offset, (size_t)slice.raw), (size_t)slice.raw,
				data.coding, big, data.coded);
	}
}
