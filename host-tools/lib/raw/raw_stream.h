/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_stream.h - checks that a stream of bytes is a complete raw profile, for profiles larger
 * than memory. It looks only at the header, at one record at a time and at the heads of value
 * data, and keeps no more than that.
 */
#ifndef BAREPROF_HOST_RAW_STREAM_H
#define BAREPROF_HOST_RAW_STREAM_H

#include "raw_profile.h"

/* The part that comes next. */
enum raw_stream_state {
	RAW_STREAM_START,
	RAW_STREAM_HEADER,
	RAW_STREAM_RECORD,
	RAW_STREAM_VALUES, /* head of the value data of one function */
	RAW_STREAM_END, /* zeros, or another profile */
};

/* Starts as all zeros. */
struct raw_stream {
	uint64_t size; /* number of bytes that were added so far */
	uint64_t profiles; /* number of profiles that have begun */
	/* Only raw_stream.c uses the rest. */
	enum raw_stream_state state;
	struct raw_profile profile;
	uint64_t pass; /* bytes to skip before the next part */
	uint8_t piece[8 * BAREPROF_HEADER_MAX]; /* the first bytes of the next part */
	size_t have; /* number of bytes in @piece */
	uint64_t min_size; /* minimum size of the stream, according to the header and value data read so far */
	uint64_t records; /* still to come */
	uint64_t after_records; /* bytes of the sections after the records */
	uint64_t value_blocks; /* still to come */
};

/*
 * raw_stream_add - checks the next bytes, which may end anywhere. raw_stream_end - checks that
 * the stream is complete. If both succeed, the stream has the sections and value data that its
 * headers and records claim, and nothing else. Counters and names are not checked.
 * Errors: INVALID_INPUT.
 */
enum status raw_stream_add(struct raw_stream *stream, struct bytes bytes, struct error *error);
enum status raw_stream_end(const struct raw_stream *stream, struct error *error);

#endif
