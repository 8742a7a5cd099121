/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_stream.h - checks that a stream of bytes is a complete raw profile. The profile can be larger
 * than memory. Only its header, one record and the start of one block of value data are in memory at
 * the same time.
 */
#ifndef BAREPROF_HOST_RAW_STREAM_H
#define BAREPROF_HOST_RAW_STREAM_H

#include "raw_profile.h"

/* The kind of the part that comes next. */
enum raw_stream_state {
	RAW_STREAM_START,
	RAW_STREAM_HEADER,
	RAW_STREAM_RECORD,
	RAW_STREAM_VALUES, /* start of the value data of one function */
	RAW_STREAM_END, /* after the value data: zeros, or another profile */
};

/* A stream that is being checked. Before its first use it is all zeros. It owns no memory. */
struct raw_stream {
	uint64_t size; /* number of bytes that were added so far */
	uint64_t profiles; /* number of profiles whose header has been read */
	/* Only raw_stream.c uses the following members. */
	enum raw_stream_state state;
	struct raw_profile profile;
	uint64_t pass; /* number of bytes to skip before the next part */
	uint8_t piece[8 * BAREPROF_HEADER_MAX]; /* the first bytes of the next part, while the part is incomplete */
	size_t have; /* number of bytes in @piece */
	/* minimum size of the stream in bytes, as far as it is known from the headers and value data */
	uint64_t min_size;
	uint64_t records; /* number of records that are still to come */
	uint64_t after_records; /* size in bytes of the sections after the records */
	uint64_t value_blocks; /* number of blocks of value data that are still to come */
};

/*
 * raw_stream_add - checks the next bytes of the stream. @bytes may end in the middle of a part.
 * Errors: INVALID_INPUT.
 * raw_stream_end - checks that the stream is complete. Errors: INVALID_INPUT.
 * If all calls succeed, the stream consists of the sections and the value data that its headers and
 * records claim, and of nothing else. Counters and names are not checked.
 */
enum status raw_stream_add(struct raw_stream *stream, struct bytes bytes, struct error *error);
enum status raw_stream_end(const struct raw_stream *stream, struct error *error);

#endif
