/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sparse_buffer.h - what came of something whose size only its sender tells: its parts,
 * and where each belongs. They take as much memory as they have bytes.
 */
#ifndef BAREPROF_HOST_SPARSE_BUFFER_H
#define BAREPROF_HOST_SPARSE_BUFFER_H

#include "bytes.h"

struct sparse_extent {
	uint64_t offset; /* in the whole */
	size_t size;
	size_t at; /* in bytes */
};

/* Starts as all zeros, ends with sparse_buffer_free(). */
struct sparse_buffer {
	struct buffer bytes; /* of all extents; if nothing is missing, the whole */
	struct sparse_extent *list; /* in order, with gaps between them */
	size_t count;
	size_t room;
};

/* sparse_buffer_add - room for @size bytes at @offset, behind all that was added before; valid until the next one. */
uint8_t *sparse_buffer_add(struct sparse_buffer *buffer, uint64_t offset, size_t size);

/* sparse_buffer_find - the @size bytes at @offset; false if not all of them came. */
bool sparse_buffer_find(const struct sparse_buffer *buffer, uint64_t offset, uint64_t size, struct bytes *bytes);

void sparse_buffer_free(struct sparse_buffer *buffer);

#endif
