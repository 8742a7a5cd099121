/* SPDX-License-Identifier: BSD-2-Clause */
/* alloc.h - allocates and frees memory in one static arena. */
#ifndef ALLOC_H
#define ALLOC_H

#include <stdbool.h>
#include <stdint.h>

struct alloc_state {
	uint32_t free; /* bytes in all free pieces */
	uint32_t largest; /* bytes in the largest free piece */
	uint32_t pieces; /* number of free pieces */
	uint32_t used; /* number of allocated pieces */
};

/* Returns @bytes bytes, aligned to 8, or NULL if no free piece is large enough or @bytes is 0. */
void *alloc_get(uint32_t bytes);
/* Frees a piece; returns false if @p is not an allocated piece. */
bool alloc_put(void *p);
void alloc_state(struct alloc_state *state);

#endif
