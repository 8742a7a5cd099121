/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_stream.c - checks the sizes in a raw profile while the profile arrives, one part after the other. For a profile
 * in memory, raw_open.c makes the same checks and more.
 */
#include "raw_stream.h"
#include "raw_open.h"

#include <inttypes.h>

_Static_assert(BAREPROF_RECORD_SIZE(BAREPROF_RAW_NEWEST, 8u) <= sizeof(((struct raw_stream *)0)->piece),
	"a record is no larger than a header");

/* Returns the size in bytes of the next part that is checked. */
static size_t wanted(const struct raw_stream *stream)
{
	size_t size;
	struct raw_profile unused;
	struct error error;

	switch (stream->state) {
	case RAW_STREAM_START:
		return RAW_START;
	case RAW_STREAM_HEADER:
		raw_identify(&unused, (struct bytes){stream->piece, RAW_START}, &size, &error);
		return size;
	case RAW_STREAM_RECORD:
		return stream->profile.record_size;
	case RAW_STREAM_VALUES:
		return BAREPROF_VALUE_HEAD;
	default:
		/* Another profile can begin only at a multiple of 8 bytes, so this part ends at the next multiple. */
		return 8 - (stream->size - stream->have) % 8;
	}
}

static enum status too_much(struct error *error)
{
	return error_set(
		error, STATUS_INVALID_INPUT, "has a damaged header: it claims more than 2^64 bytes" HINT_FETCH_AGAIN);
}

/* Skips the sections after the records. Called after the last record. */
static void expect_values(struct raw_stream *stream)
{
	stream->pass = stream->after_records;
	stream->state = stream->value_blocks ? RAW_STREAM_VALUES : RAW_STREAM_END;
}

static enum status take_header(struct raw_stream *stream, struct bytes header, struct error *error)
{
	struct raw_section part[RAW_SECTIONS];
	/* size of the current section and all later sections; the loop goes from the last section to the first */
	uint64_t sum = 0;
	size_t size;
	size_t i;

	if (raw_header(&stream->profile, header, &size, error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	raw_section_list(&stream->profile, part);
	for (i = RAW_SECTIONS; i--;) {
		uint64_t bytes;

		if (__builtin_mul_overflow(part[i].count, part[i].size, &bytes) ||
			__builtin_add_overflow(part[i].pad, sum, &sum))
			return too_much(error);
		if (part[i].section == BAREPROF_DATA)
			stream->after_records = sum;
		if (part[i].section == BAREPROF_BUILD_ID)
			stream->pass = bytes;
		if (__builtin_add_overflow(bytes, sum, &sum))
			return too_much(error);
	}
	if (__builtin_add_overflow(stream->size, sum, &stream->min_size))
		return too_much(error);
	stream->profiles++;
	stream->value_blocks = 0;
	stream->records = stream->profile.records;
	stream->state = RAW_STREAM_RECORD;
	if (!stream->records) {
		stream->after_records += stream->pass;
		expect_values(stream);
	}
	return STATUS_OK;
}

static void take_record(struct raw_stream *stream, struct bytes record)
{
	const struct raw_profile *profile = &stream->profile;
	const uint8_t *sites = record.data + BAREPROF_RECORD_VALUE_SITES(profile->version, profile->width);
	uint64_t all = 0;
	unsigned int kind;

	for (kind = 0; kind < BAREPROF_VALUE_KINDS_OF(profile->version); kind++)
		all |= load_uint(sites + 2 * kind, 2, profile->big);
	stream->value_blocks += all != 0;
	if (!--stream->records)
		expect_values(stream);
}

static enum status take_values(struct raw_stream *stream, struct bytes head, struct error *error)
{
	uint64_t size = load_uint(head.data, 4, stream->profile.big);

	stream->min_size = stream->size;
	/* 8 zero bytes stand for the value data of all functions, and mean that there are no values (raw_values.c). */
	if (!load_uint(head.data, BAREPROF_VALUE_HEAD, false)) {
		stream->state = RAW_STREAM_END;
		return STATUS_OK;
	}
	if (size < BAREPROF_VALUE_HEAD || size % 8)
		return error_set(error, STATUS_INVALID_INPUT,
			"is malformed: the value data at offset %" PRIu64 " has %" PRIu64
			" bytes, which is not a possible size" HINT_FETCH_AGAIN,
			stream->size - BAREPROF_VALUE_HEAD, size);
	stream->pass = size - BAREPROF_VALUE_HEAD;
	stream->min_size += stream->pass;
	if (!--stream->value_blocks)
		stream->state = RAW_STREAM_END;
	return STATUS_OK;
}

static enum status take_end(struct raw_stream *stream, struct bytes bytes, struct error *error)
{
	if (bytes_are_zero(bytes))
		return STATUS_OK;
	if (!raw_magic(bytes))
		return error_set(error, STATUS_INVALID_INPUT,
			"has bytes at offset %" PRIu64 " that do not belong to a profile" HINT_FETCH_AGAIN,
			stream->size - bytes.size);
	/* The bytes after the end of this profile are the start of another profile. */
	memmove(stream->piece, bytes.data, bytes.size);
	stream->have = bytes.size;
	stream->state = RAW_STREAM_START;
	return STATUS_OK;
}

/* Checks a part that has arrived completely, and decides what comes next. */
static enum status take_part(struct raw_stream *stream, struct bytes bytes, struct error *error)
{
	size_t size;

	stream->have = 0;
	switch (stream->state) {
	case RAW_STREAM_START:
		if (raw_identify(&stream->profile, bytes, &size, error) != STATUS_OK)
			return STATUS_INVALID_INPUT;
		memmove(stream->piece, bytes.data, bytes.size);
		stream->have = bytes.size;
		stream->state = RAW_STREAM_HEADER;
		return STATUS_OK;
	case RAW_STREAM_HEADER:
		return take_header(stream, bytes, error);
	case RAW_STREAM_RECORD:
		take_record(stream, bytes);
		return STATUS_OK;
	case RAW_STREAM_VALUES:
		return take_values(stream, bytes, error);
	default:
		return take_end(stream, bytes, error);
	}
}

/*
 * Takes the missing bytes of the next part from *@bytes. If the part is now complete, checks it. If it is still
 * incomplete, keeps its bytes in stream->piece.
 */
static enum status gather(struct raw_stream *stream, struct bytes *bytes, struct error *error)
{
	size_t want = wanted(stream);
	size_t lacks = want - stream->have;
	size_t n = bytes->size < lacks ? bytes->size : lacks;
	struct bytes part = {stream->piece, want};

	/* A part that arrives as a whole is not copied. This is the case for most records. */
	if (!stream->have && n == want)
		part.data = bytes->data;
	else
		memcpy(stream->piece + stream->have, bytes->data, n);
	stream->have += n;
	stream->size += n;
	bytes->data += n;
	bytes->size -= n;
	return n == lacks ? take_part(stream, part, error) : STATUS_OK;
}

enum status raw_stream_add(struct raw_stream *stream, struct bytes bytes, struct error *error)
{
	enum status status = STATUS_OK;

	while (bytes.size && status == STATUS_OK) {
		size_t n = stream->pass < bytes.size ? (size_t)stream->pass : bytes.size;

		stream->pass -= n;
		stream->size += n;
		bytes.data += n;
		bytes.size -= n;
		if (bytes.size)
			status = gather(stream, &bytes, error);
	}
	return status;
}

enum status raw_stream_end(const struct raw_stream *stream, struct error *error)
{
	struct raw_profile unused;
	size_t size;

	if (!stream->size)
		return raw_identify(&unused, (struct bytes){NULL, 0}, &size, error);
	if (stream->state == RAW_STREAM_END && !stream->pass &&
		bytes_are_zero((struct bytes){stream->piece, stream->have}))
		return STATUS_OK;
	if (stream->state == RAW_STREAM_START || stream->state == RAW_STREAM_HEADER)
		return error_set(error, STATUS_INVALID_INPUT, "is cut short in the header" HINT_FETCH_AGAIN);
	if (stream->size < stream->min_size)
		return error_set(error, STATUS_INVALID_INPUT,
			"is cut short or has a damaged header: it has %" PRIu64
			" bytes and should have at least %" PRIu64 HINT_FETCH_AGAIN,
			stream->size, stream->min_size);
	if (stream->state == RAW_STREAM_VALUES)
		return error_set(error, STATUS_INVALID_INPUT,
			"is cut short: value data of %" PRIu64 " functions is missing" HINT_FETCH_AGAIN,
			stream->value_blocks);
	return error_set(error, STATUS_INVALID_INPUT,
		"is cut short: its last bytes are not a complete profile" HINT_FETCH_AGAIN);
}
