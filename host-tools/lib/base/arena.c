/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arena.c - an arena is a list of blocks of memory. arena_take() takes memory from the first block
 * of the list.
 */
#include "arena.h"
#include "error.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#define BLOCK ((size_t)256 << 10)

struct arena_block {
	struct arena_block *next;
	size_t size;
	uint64_t data[]; /* aligned to 8 bytes */
};

/* Makes a separate block for a large request and puts it after the block that is being filled. */
static void *take_large(struct arena *arena, size_t size)
{
	struct arena_block *block = malloc(sizeof(*block) + size);

	if (!block)
		die_of_memory();
	block->size = size;
	if (arena->blocks) {
		block->next = arena->blocks->next;
		arena->blocks->next = block;
	} else {
		block->next = NULL;
		arena->blocks = block;
		arena->used = size;
	}
	return block->data;
}

static void add_block(struct arena *arena)
{
	struct arena_block *block = malloc(sizeof(*block) + BLOCK);

	if (!block)
		die_of_memory();
	block->size = BLOCK;
	block->next = arena->blocks;
	arena->blocks = block;
	arena->used = 0;
}

void *arena_take(struct arena *arena, size_t size)
{
	void *result;

	if (size > SIZE_MAX / 2)
		die_of_memory();
	size = (size + 7) & ~(size_t)7;
	if (size > BLOCK / 4)
		return take_large(arena, size);
	if (!arena->blocks || size > arena->blocks->size - arena->used)
		add_block(arena);
	result = (char *)arena->blocks->data + arena->used;
	arena->used += size;
	assert(arena->used <= arena->blocks->size);
	return result;
}

void arena_free(struct arena *arena)
{
	while (arena->blocks) {
		struct arena_block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
	arena->used = 0;
}

void arena_join(struct arena *arena, struct arena *from)
{
	struct arena_block *last = from->blocks;

	if (!last)
		return;
	while (last->next)
		last = last->next;
	last->next = arena->blocks;
	arena->blocks = from->blocks;
	arena->used = from->used;
	*from = (struct arena){0};
}
