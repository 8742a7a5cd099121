/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pieces.h - what came of something whose size only its sender tells: its parts,
 * and where each belongs. They take as much memory as they have bytes.
 */
#ifndef BAREPROF_HOST_PIECES_H
#define BAREPROF_HOST_PIECES_H

#include "bytes.h"

struct piece {
	uint64_t offset; /* in the whole */
	size_t size;
	size_t at; /* in bytes */
};

/* Starts as all zeros, ends with pieces_free(). */
struct pieces {
	struct buffer bytes; /* of all pieces; if nothing is missing, the whole */
	struct piece *list; /* in order, with gaps between them */
	size_t count;
	size_t room;
};

/* pieces_add - room for @size bytes at @offset, behind all that was added before; valid until the next one. */
uint8_t *pieces_add(struct pieces *pieces, uint64_t offset, size_t size);

/* pieces_find - the @size bytes at @offset; false if not all of them came. */
bool pieces_find(const struct pieces *pieces, uint64_t offset, uint64_t size, struct bytes *bytes);

void pieces_free(struct pieces *pieces);

#endif
