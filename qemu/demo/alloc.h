/* SPDX-License-Identifier: BSD-2-Clause */
/* alloc.h - memory by the piece, from one static arena. */
#ifndef ALLOC_H
#define ALLOC_H

#include <stdbool.h>
#include <stdint.h>

struct alloc_state {
	uint32_t free; /* bytes that could be given out, in all pieces */
	uint32_t largest; /* bytes in the largest piece */
	uint32_t pieces; /* how many free pieces there are */
	uint32_t used; /* how many are given out */
};

/* @bytes aligned to 8, or NULL if no piece is large enough or @bytes is 0. */
void *alloc_get(uint32_t bytes);
/* Give a piece back; false if @p is no piece that was given out. */
bool alloc_put(void *p);
void alloc_state(struct alloc_state *state);

#endif
