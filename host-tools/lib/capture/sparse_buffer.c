/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pieces.c - neighbours become one piece, so that what lies across the border of
 * two blocks is found as a whole.
 */
#include "sparse_buffer.h"

#include <stdlib.h>

uint8_t *pieces_add(struct pieces *pieces, uint64_t offset, size_t size)
{
	struct piece *last = pieces->count ? &pieces->list[pieces->count - 1] : NULL;

	buffer_reserve(&pieces->bytes, size);
	if (last && last->offset + last->size == offset) {
		last->size += size;
	} else {
		pieces->list = grow(pieces->list, pieces->count, &pieces->room, sizeof(*pieces->list));
		pieces->list[pieces->count++] = (struct piece){offset, size, pieces->bytes.size};
	}
	pieces->bytes.size += size;
	return pieces->bytes.data + pieces->bytes.size - size;
}

bool pieces_find(const struct pieces *pieces, uint64_t offset, uint64_t size, struct bytes *bytes)
{
	size_t low = 0;
	size_t high = pieces->count;
	const struct piece *piece;

	/* The last piece that does not start behind it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pieces->list[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	piece = &pieces->list[low - 1];
	return part((struct bytes){pieces->bytes.data + piece->at, piece->size}, offset - piece->offset, size, bytes);
}

void pieces_free(struct pieces *pieces)
{
	buffer_free(&pieces->bytes);
	free(pieces->list);
	*pieces = (struct pieces){0};
}
