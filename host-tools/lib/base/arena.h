/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arena.h - memory for many small things that all end together.
 */
#ifndef BAREPROF_HOST_ARENA_H
#define BAREPROF_HOST_ARENA_H

#include <stddef.h>

/* Starts as all zeros, ends with arena_free(). */
struct arena {
	struct arena_block *blocks;
	size_t used; /* of the first block */
};

/* arena_take - @size bytes, aligned to 8, not initialized; never NULL. */
void *arena_take(struct arena *arena, size_t size);
void arena_free(struct arena *arena);

/* arena_join - @arena takes over all that @from has; @from is empty after it. */
void arena_join(struct arena *arena, struct arena *from);

#endif
