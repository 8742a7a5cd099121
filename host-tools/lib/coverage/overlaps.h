/* SPDX-License-Identifier: BSD-2-Clause */
/* overlaps.h - the memory for making segments of areas that overlap. Only segments.c uses it. */
#ifndef BAREPROF_HOST_OVERLAPS_H
#define BAREPROF_HOST_OVERLAPS_H

#include "segment.h"

/* All lists have room for the index of each area. */
struct overlaps {
	uint32_t *heap; /* the active areas; the first one ends first */
	size_t heap_count;
	uint32_t *ended; /* the areas that are no longer active */
	uint32_t *before; /* for each active area: the active areas that started before it and after it */
	uint32_t *after;
	uint32_t innermost; /* the active area that started last */
	size_t heap_room;
	size_t ended_room;
	size_t before_room;
	size_t after_room;
};

/*
 * overlaps_build - appends the segments of the sorted @areas from the index @first on to @segments. Returns the index of
 * the first area at whose start all areas from @first on have ended, or the number of areas.
 */
size_t overlaps_build(
	struct overlaps *overlaps, const struct areas *areas, size_t first, struct segment_list *segments);
void overlaps_free(struct overlaps *overlaps);

#endif
