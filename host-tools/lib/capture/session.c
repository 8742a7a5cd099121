/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.c - gather blocks by session, judge what is there, put it together.
 * Memory is bounded by the blocks that came, never by what BEGIN claims.
 */
#include "session.h"
#include "counter_codec.h"

#include <bareprof/capture.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void capture_add(void *context, const struct block *block)
{
	struct capture *capture = context;
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

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* By session; in it unknown types first, then by index, then as they came. */
static int compare_blocks(const void *left, const void *right)
{
	const struct stored_block *a = left;
	const struct stored_block *b = right;

	if (a->image != b->image)
		return compare(a->image, b->image);
	if (a->tag != b->tag)
		return compare(a->tag, b->tag);
	if (a->index != b->index)
		return compare(a->index, b->index);
	return compare(a->order, b->order);
}

static int compare_sessions(const void *left, const void *right)
{
	return compare(((const struct session *)left)->started, ((const struct session *)right)->started);
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

static void unusable(struct session *session, const char *what, uint64_t index)
{
	session->state = SESSION_UNUSABLE;
	error_set(&session->problem, STATUS_INVALID_INPUT, "block %" PRIu64 " of the dump %08" PRIx32 " %s", index,
		session->tag, what);
}

/* A whole .profraw, or counters with or without bitmaps and values: nothing else is known. Numbers ascend. */
static bool known_streams(const struct streams *streams)
{
	const struct stream *stream = streams->stream;

	if (stream[0].number == BAREPROF_STREAM_PROFRAW)
		return streams->count == 1;
	return stream[0].number == BAREPROF_STREAM_COUNTERS && streams->count < STREAMS_MAX &&
	       stream[streams->count - 1].number <= BAREPROF_STREAM_DROPPED;
}

/* What of sites and values goes together, as far as BEGIN tells. */
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

static void read_begin(struct session *session, const struct capture *capture, const struct stored_block *stored)
{
	const struct streams *streams = &session->begin.streams;

	session->begin_block = stored;
	if (stored->index || !begin_read(&session->begin, payload(capture, stored)))
		unusable(session, "is a malformed BEGIN", stored->index);
	else if (session->begin.format != BAREPROF_WIRE_VERSION)
		unusable(session, "is of a capture format that this bareprof does not know; use a newer one", 0);
	else if (!known_streams(streams))
		unusable(session, "tells of data that this bareprof does not know; use a newer one", 0);
	else if (!values_agree(&session->begin))
		unusable(session, "tells of values in sizes that they cannot have: the target's writer is at fault", 0);
	else
		session->counters = streams->stream[0].number == BAREPROF_STREAM_COUNTERS;
}

/* Read BEGIN or END; what contradicts the format makes the session unusable. */
static void read_ends(struct session *session, const struct capture *capture, const struct stored_block *stored)
{
	if (stored->type == BAREPROF_BLOCK_BEGIN) {
		read_begin(session, capture, stored);
		return;
	}
	session->end_block = stored;
	if (!stored->index)
		unusable(session, "is a malformed END", stored->index);
}

/*
 * Drop blocks that came again later, and blocks of unknown types that may be
 * ignored; refuse the session for others. Leaves count blocks by index.
 */
static void drop_duplicates(struct session *session, struct capture *capture)
{
	struct stored_block *block = capture->blocks + session->first;
	size_t kept = 0;
	size_t i;

	for (i = 0; i < session->count; i++) {
		if (block[i].type < BAREPROF_BLOCK_BEGIN || block[i].type > BAREPROF_BLOCK_END) {
			if (!(block[i].type & BAREPROF_BLOCK_IGNORABLE))
				unusable(session, "is of a type that this bareprof does not know; use a newer one",
					block[i].index);
			continue;
		}
		if (kept && block[kept - 1].index == block[i].index) {
			capture->duplicates++;
			kept--;
		}
		block[kept++] = block[i];
	}
	session->count = kept;
}

const char *session_content(const struct session *session)
{
	bool values = streams_find(&session->begin.streams, BAREPROF_STREAM_VALUES);

	return values ? "counters and values" : "counters";
}

/* How many DATA blocks a stream of @size bytes has. */
static uint64_t blocks_of(uint64_t size, uint64_t span)
{
	return size / span + (size % span != 0);
}

uint64_t begin_last(const struct begin *begin)
{
	uint64_t last = 1;
	size_t i;

	for (i = 0; i < begin->streams.count && i < STREAMS_MAX; i++)
		if (__builtin_add_overflow(last, blocks_of(begin->streams.stream[i].size, begin->span), &last))
			return UINT64_MAX;
	return last;
}

static void check_ends(struct session *session)
{
	const struct begin *begin = &session->begin;

	if (session->begin_block && session->end_block && session->end_block->index != begin_last(begin))
		unusable(session, "(END) does not agree with BEGIN", session->end_block->index);
	if (session->begin_block)
		session->last = begin_last(begin);
	else if (session->end_block)
		session->last = session->end_block->index;
	if (!session->begin_block || session->state == SESSION_UNUSABLE || begin->streams.stream[0].size)
		return;
	unusable(session,
		session->counters ? "says that the image has no counters: was it linked from instrumented objects?"
				  : "says that there is no .profraw in it: the image has no records in memory, link it "
				    "with them, or send the counters alone (bareprof_capture_open())",
		0);
}

/* What a DATA block covers. */
struct stream_slice {
	uint8_t stream;
	uint64_t offset;
	uint64_t raw;
};

static bool find_slice(const struct begin *begin, uint64_t index, struct stream_slice *slice)
{
	uint64_t left = index - 1;
	size_t i;

	for (i = 0; i < begin->streams.count && i < STREAMS_MAX; i++) {
		const struct stream *stream = &begin->streams.stream[i];
		uint64_t blocks = blocks_of(stream->size, begin->span);

		if (left < blocks) {
			slice->stream = stream->number;
			slice->offset = left * begin->span;
			slice->raw = stream->size - slice->offset;
			if (slice->raw > begin->span)
				slice->raw = begin->span;
			return true;
		}
		left -= blocks;
	}
	return false;
}

/* A DATA block must hold what follows from its index. */
static void check_data(struct session *session, const struct stored_block *stored, struct bytes bytes)
{
	const struct begin *begin = &session->begin;
	struct stream_slice slice;
	struct data data;

	if (!data_read(&data, bytes) || !stored->index)
		unusable(session, "is malformed", stored->index);
	else if (data.coding > BAREPROF_CODING_LAST)
		unusable(session, "is coded in a way that this bareprof does not know; use a newer one", stored->index);
	else if (!session->begin_block)
		return;
	else if (!find_slice(begin, stored->index, &slice))
		unusable(session, "lies beyond the end that BEGIN tells", stored->index);
	else if (data.coding == BAREPROF_CODING_STORED ? data.coded.size != slice.raw : slice.raw > BAREPROF_BLOCK_MAX)
		unusable(session, "does not hold the bytes that BEGIN tells", stored->index);
	else if (!counters_decode(NULL, (size_t)slice.raw, data.coding, begin->order == BAREPROF_ORDER_BIG, data.coded))
		unusable(session, "is coded wrongly, though its checksum holds: the target's writer is at fault",
			stored->index);
}

static void add_missing(struct session *session, size_t *room, uint64_t first, uint64_t last)
{
	session->missing = array_grow(session->missing, session->missing_count, room, sizeof(*session->missing));
	session->missing[session->missing_count++] = (struct block_range){first, last};
}

/* The gaps between the blocks that are there, and the one after them. */
static void find_missing(struct session *session, const struct capture *capture)
{
	const struct stored_block *block = capture->blocks + session->first;
	uint64_t next = 0;
	size_t room = 0;
	size_t i;

	for (i = 0; i < session->count; i++) {
		if (block[i].index > next)
			add_missing(session, &room, next, block[i].index - 1);
		next = block[i].index + 1;
	}
	if (session->last && next <= session->last)
		add_missing(session, &room, next, session->last);
	if ((session->missing_count || !session->begin_block || !session->end_block) &&
		session->state == SESSION_COMPLETE)
		session->state = SESSION_INCOMPLETE;
}

static void judge_session(struct session *session, struct capture *capture)
{
	size_t i;

	drop_duplicates(session, capture);
	for (i = 0; i < session->count; i++) {
		const struct stored_block *block = &capture->blocks[session->first + i];

		if (block->type != BAREPROF_BLOCK_DATA)
			read_ends(session, capture, block);
	}
	if (session->state != SESSION_UNUSABLE)
		check_ends(session);
	for (i = 0; i < session->count && session->state != SESSION_UNUSABLE; i++) {
		const struct stored_block *block = &capture->blocks[session->first + i];

		if (block->type == BAREPROF_BLOCK_DATA)
			check_data(session, block, payload(capture, block));
	}
	find_missing(session, capture);
}

/* The first BEGIN says when a session started; without one, its first block. */
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
		struct session *session;

		for (n = 1; i + n < capture->count && block[n].image == block->image && block[n].tag == block->tag;)
			n++;
		capture->sessions =
			array_grow(capture->sessions, capture->session_count, &room, sizeof(*capture->sessions));
		session = &capture->sessions[capture->session_count++];
		*session = (struct session){0};
		session->tag = block->tag;
		session->image = block->image;
		session->first = i;
		session->count = n;
		session->started = started(block, n);
		judge_session(session, capture);
	}
	if (capture->session_count)
		qsort(capture->sessions, capture->session_count, sizeof(*capture->sessions), compare_sessions);
}

void capture_free(struct capture *capture)
{
	size_t i;

	for (i = 0; i < capture->session_count; i++)
		free(capture->sessions[i].missing);
	free(capture->sessions);
	free(capture->blocks);
	buffer_free(&capture->payloads);
	*capture = (struct capture){0};
}

void session_stream(
	const struct capture *capture, const struct session *session, uint8_t number, struct sparse_buffer *buffer)
{
	bool big = session->begin.order == BAREPROF_ORDER_BIG;
	size_t i;

	for (i = 0; i < session->count; i++) {
		const struct stored_block *block = &capture->blocks[session->first + i];
		struct stream_slice slice;
		struct data data;

		if (block->type == BAREPROF_BLOCK_DATA && data_read(&data, payload(capture, block)) &&
			find_slice(&session->begin, block->index, &slice) && slice.stream == number)
			counters_decode(sparse_buffer_add(buffer, slice.offset, (size_t)slice.raw), (size_t)slice.raw,
				data.coding, big, data.coded);
	}
}
