/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arena.h - memory for many small objects that are all freed together.
 */
#ifndef BAREPROF_HOST_ARENA_H
#define BAREPROF_HOST_ARENA_H

#include <stddef.h>

/* An arena. Before its first use it is all zeros; arena_free() frees its memory. */
struct arena {
	struct arena_block *blocks;
	size_t used; /* number of bytes in use in the first block */
};

/* arena_take - returns @size bytes, aligned to 8 bytes and not initialized. The result is never NULL. */
void *arena_take(struct arena *arena, size_t size);
void arena_free(struct arena *arena);

/* arena_join - moves all memory of @from to @arena, and leaves @from empty. */
void arena_join(struct arena *arena, struct arena *from);

#endif
