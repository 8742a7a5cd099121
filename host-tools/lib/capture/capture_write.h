/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_write.h - writes a capture on the host, in place of a target that cannot send one. No bytes are coded, because
 * nothing is sent over a line.
 */
#ifndef BAREPROF_HOST_CAPTURE_WRITE_H
#define BAREPROF_HOST_CAPTURE_WRITE_H

#include "block.h"

/* The raw bytes of a stream. */
struct capture_stream {
	uint8_t number; /* BAREPROF_STREAM_* */
	struct bytes bytes;
};

/*
 * capture_write - appends a capture file to @out: the magic bytes, and one dump with the @count streams, whose numbers
 * ascend. @begin describes the target; its fields format, span and streams are not used.
 */
void capture_write(struct buffer *out, const struct begin *begin, const struct capture_stream *streams, size_t count);

#endif
