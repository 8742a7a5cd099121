/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sparse_buffer.c - stores extents in the order of their offsets. Neighbouring extents are joined,
 * so that the bytes of two blocks become one slice.
 */
#include "sparse_buffer.h"

#include <assert.h>
#include <stdlib.h>

uint8_t *sparse_buffer_add(struct sparse_buffer *buffer, uint64_t offset, size_t size)
{
	struct sparse_extent *last = buffer->count ? &buffer->list[buffer->count - 1] : NULL;

	assert(!last || last->offset + last->size <= offset);
	buffer_reserve(&buffer->bytes, size);
	if (last && last->offset + last->size == offset) {
		last->size += size;
	} else {
		buffer->list = array_grow(buffer->list, buffer->count, &buffer->room, sizeof(*buffer->list));
		buffer->list[buffer->count++] = (struct sparse_extent){offset, size, buffer->bytes.size};
	}
	buffer->bytes.size += size;
	return buffer->bytes.data + buffer->bytes.size - size;
}

bool sparse_buffer_find(const struct sparse_buffer *buffer, uint64_t offset, uint64_t size, struct bytes *bytes)
{
	size_t after = upper_bound(&offset, buffer->list, buffer->count, sizeof(*buffer->list), compare_numbers);
	const struct sparse_extent *extent;

	if (!after)
		return false;
	extent = &buffer->list[after - 1];
	return bytes_slice(
		(struct bytes){buffer->bytes.data + extent->at, extent->size}, offset - extent->offset, size, bytes);
}

void sparse_buffer_free(struct sparse_buffer *buffer)
{
	buffer_free(&buffer->bytes);
	free(buffer->list);
	*buffer = (struct sparse_buffer){0};
}
