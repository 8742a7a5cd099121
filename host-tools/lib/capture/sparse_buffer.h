/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sparse_buffer.h - a buffer of bytes in which extents may be missing. It uses memory only
 * for the bytes that arrived, however large the sender claims the whole to be.
 */
#ifndef BAREPROF_HOST_SPARSE_BUFFER_H
#define BAREPROF_HOST_SPARSE_BUFFER_H

#include "bytes.h"

struct sparse_extent {
	uint64_t offset; /* in the complete data */
	size_t size;
	size_t at; /* offset in sparse_buffer.bytes */
};

/* Starts as all zeros, ends with sparse_buffer_free(). */
struct sparse_buffer {
	struct buffer bytes; /* bytes of all extents, one after the other; the complete data if nothing is missing */
	struct sparse_extent *list; /* sorted, with gaps between them */
	size_t count;
	size_t room;
};

/*
 * sparse_buffer_add - returns room for the @size bytes at @offset, which is after all bytes that
 * were added before. The result is valid until the next call.
 */
uint8_t *sparse_buffer_add(struct sparse_buffer *buffer, uint64_t offset, size_t size);

/* sparse_buffer_find - sets *@bytes to the @size bytes at @offset. Returns false if some are missing. */
bool sparse_buffer_find(const struct sparse_buffer *buffer, uint64_t offset, uint64_t size, struct bytes *bytes);

void sparse_buffer_free(struct sparse_buffer *buffer);

#endif
