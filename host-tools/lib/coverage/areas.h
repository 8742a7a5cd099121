/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * areas.h - the areas of a file, from one or more functions. An area is a region that has one count, so that it is neither
 * a condition nor a decision. areas_sort() sorts the areas by their starts, and an area comes before those that it contains.
 */
#ifndef BAREPROF_HOST_AREAS_H
#define BAREPROF_HOST_AREAS_H

#include "radix.h"
#include "region.h"

struct area {
	uint64_t start; /* the line in the upper 32 bits, the column in the lower ones */
	uint64_t end;
	uint64_t count;
	enum region_kind kind;
};

/* area_is_empty - returns whether an area has no content. It only changes the count of the text after it. */
static inline bool area_is_empty(const struct area *area)
{
	return area->start == area->end;
}

/* Starts as all zeros, can be used again after areas_start(), and ends with areas_free(). */
struct areas {
	struct area *list;
	size_t count;
	size_t room;
	/* The following members belong to areas.c. */
	bool byte_counts; /* a count tells only whether code ran */
	bool in_order; /* the areas are sorted */
	bool distinct; /* no two areas have the same extent; false: not known */
	size_t sort_at; /* with this number of areas, those with the same extent become one */
	struct area *spare; /* the other memory is for sorting, see areas.c */
	size_t spare_room;
	struct area *tail; /* areas that are merged with a group */
	size_t tail_room;
	uint32_t *groups; /* index of the first area of each group, then the number of areas */
	size_t group_room;
	uint64_t *starts; /* of the groups */
	size_t start_room;
	uint32_t *order; /* the groups by their starts */
	size_t order_room;
	struct radix radix;
};

/*
 * areas_start - forgets all areas.
 * areas_add - adds those of the @count regions at @regions that are neither conditions nor decisions.
 * areas_sort - sorts the areas. Areas with the same extent become one.
 */
void areas_start(struct areas *areas, bool byte_counts);
void areas_add(struct areas *areas, const struct region *regions, size_t count);
void areas_sort(struct areas *areas);
void areas_free(struct areas *areas);

/*
 * areas_reserve - makes room for @n more areas. Before, areas with the same extent may become one.
 * areas_put - adds an area, for which there must be room. It is fast if the area starts after the last one.
 * areas_insert - adds an area that does not start after the last one. Only areas_put() calls it.
 */
void areas_reserve(struct areas *areas, size_t n);
void areas_insert(struct areas *areas, const struct area *area);

static inline void areas_put(struct areas *areas, const struct area *area)
{
	if (areas->count && area->start <= areas->list[areas->count - 1].start)
		areas_insert(areas, area);
	else
		areas->list[areas->count++] = *area;
}

#endif
