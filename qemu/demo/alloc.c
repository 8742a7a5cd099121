/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alloc.c - a first-fit allocator that splits and joins pieces. The arena is an array of
 * 8-byte cells. A piece is a cell with the length of the piece, followed by that many
 * cells. There are no pointers in the arena, so the arena is the same for any pointer width.
 */
#include <stddef.h>

#include "alloc.h"

/* The default is 8 KiB; boards with little RAM set fewer cells. */
#ifndef ALLOC_CELLS
#define ALLOC_CELLS 1024u
#endif

struct cell {
	uint32_t cells; /* number of cells in the piece, without this cell */
	uint32_t used;
};

static struct cell arena[ALLOC_CELLS] __attribute__((aligned(8)));

static void prepare(void)
{
	if (arena[0].cells == 0)
		arena[0].cells = ALLOC_CELLS - 1;
}

static uint32_t next_of(uint32_t i)
{
	return i + 1 + arena[i].cells;
}

/* Shortens piece @i to @cells cells. If the piece was longer, the remaining cells become a free piece. */
static void split(uint32_t i, uint32_t cells)
{
	uint32_t rest = arena[i].cells - cells;

	if (rest == 0)
		return;
	arena[i].cells = cells;
	arena[i + 1 + cells].cells = rest - 1;
	arena[i + 1 + cells].used = 0;
}

void *alloc_get(uint32_t bytes)
{
	uint32_t cells;
	uint32_t i;

	if (bytes == 0 || bytes > ALLOC_CELLS * sizeof(struct cell))
		return NULL;
	prepare();
	cells = (bytes + 7) >> 3;
	for (i = 0; i < ALLOC_CELLS; i = next_of(i)) {
		if (arena[i].used || arena[i].cells < cells)
			continue;
		split(i, cells);
		arena[i].used = 1;
		return &arena[i + 1];
	}
	return NULL;
}

/* Joins piece @i and the piece after it, if both are free. */
static void join(uint32_t i)
{
	uint32_t next = next_of(i);

	if (next < ALLOC_CELLS && !arena[i].used && !arena[next].used)
		arena[i].cells += 1 + arena[next].cells;
}

bool alloc_put(void *p)
{
	uint32_t before = ALLOC_CELLS;
	uint32_t i;

	prepare();
	/* This walk finds the piece before @p, and rejects pointers that were not allocated here. */
	for (i = 0; i < ALLOC_CELLS; i = next_of(i)) {
		if (p == &arena[i + 1])
			break;
		before = i;
	}
	if (i >= ALLOC_CELLS || !arena[i].used)
		return false;
	arena[i].used = 0;
	join(i);
	if (before < ALLOC_CELLS)
		join(before);
	return true;
}

void alloc_state(struct alloc_state *state)
{
	uint32_t bytes;
	uint32_t i;

	state->free = 0;
	state->largest = 0;
	state->pieces = 0;
	state->used = 0;
	prepare();
	for (i = 0; i < ALLOC_CELLS; i = next_of(i)) {
		if (arena[i].used) {
			state->used++;
			continue;
		}
		bytes = arena[i].cells << 3;
		state->pieces++;
		state->free += bytes;
		if (bytes > state->largest)
			state->largest = bytes;
	}
}
