/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_stream.h - is what passes by a whole raw profile? For those that are larger
 * than memory: of one only the header, a record at a time and the heads of value
 * data are looked at, and no more than that is kept.
 */
#ifndef BAREPROF_HOST_RAW_STREAM_H
#define BAREPROF_HOST_RAW_STREAM_H

#include "raw_profile.h"

/* What comes next. */
enum raw_stream_state {
	RAW_STREAM_START,
	RAW_STREAM_HEADER,
	RAW_STREAM_RECORD,
	RAW_STREAM_VALUES, /* of a function */
	RAW_STREAM_END, /* zeros, or another profile */
};

/* Starts as all zeros. */
struct raw_stream {
	uint64_t size; /* that came */
	uint64_t profiles; /* that have begun */
	/* The rest is its own. */
	enum raw_stream_state state;
	struct raw_profile profile;
	uint64_t pass; /* bytes to let pass first */
	uint8_t piece[8 * BAREPROF_HEADER_MAX]; /* what came of the next part */
	size_t have;
	uint64_t min_size; /* by the header it has so many bytes up to here */
	uint64_t records; /* to come */
	uint64_t after_records; /* bytes */
	uint64_t value_blocks; /* to come */
};

/*
 * raw_stream_add - the next bytes, in windows of any size. raw_stream_end - no more
 * come. What both accept has the sections and value data that its headers and records
 * speak of, and nothing else; counters and names were not looked at. Errors: INVALID_INPUT.
 */
enum status raw_stream_add(struct raw_stream *stream, struct bytes bytes, struct error *error);
enum status raw_stream_end(const struct raw_stream *stream, struct error *error);

#endif
