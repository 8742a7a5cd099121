/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sparse_buffer.h - a buffer of bytes in which extents may be missing. Its memory depends on the
 * bytes that arrived, and not on the size that the sender announces.
 */
#ifndef BAREPROF_HOST_SPARSE_BUFFER_H
#define BAREPROF_HOST_SPARSE_BUFFER_H

#include "bytes.h"

struct sparse_extent {
	uint64_t offset; /* offset of the extent in the complete data; first, so that compare_numbers() finds it */
	size_t size;
	size_t at; /* offset of the extent in sparse_buffer.bytes */
};

/* A sparse buffer. Before its first use it is all zeros; sparse_buffer_free() frees its memory. */
struct sparse_buffer {
	/* the bytes of all extents, one extent after the other; if nothing is missing, these are the complete data */
	struct buffer bytes;
	struct sparse_extent *list; /* the extents, sorted by offset, with gaps between them */
	size_t count;
	size_t room;
};

/*
 * sparse_buffer_add - adds @size bytes at @offset, and returns the address at which the caller
 * stores them. @offset must not be below the end of the bytes that were added before. The returned
 * address is valid until the next call.
 */
uint8_t *sparse_buffer_add(struct sparse_buffer *buffer, uint64_t offset, size_t size);

/* sparse_buffer_find - sets *@bytes to the @size bytes at @offset. Returns false if any of these bytes is missing. */
bool sparse_buffer_find(const struct sparse_buffer *buffer, uint64_t offset, uint64_t size, struct bytes *bytes);

void sparse_buffer_free(struct sparse_buffer *buffer);

#endif
