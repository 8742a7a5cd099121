/* SPDX-License-Identifier: BSD-2-Clause */
/* areas.c - collects and sorts areas. The areas of one function are nearly sorted. */
#include "areas.h"

#include <stdlib.h>

#define MOVED_MAX  8 /* see insert() */
#define SPARE_KEPT (1u << 16) /* areas whose memory is kept for the next file */
#define SORT_EARLY (1u << 15) /* areas after which equal ones become one, see merge_early() */

void areas_start(struct areas *areas, bool byte_counts)
{
	areas->byte_counts = byte_counts;
	areas->count = 0;
	areas->in_order = true;
	areas->distinct = true;
	areas->sort_at = SORT_EARLY;
}

static int compare_areas(const struct area *a, const struct area *b)
{
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

static void add_count(const struct areas *areas, struct area *area, uint64_t count)
{
	area->count = areas->byte_counts ? area->count || count : area->count + count;
}

static void make_room(struct areas *areas)
{
	areas->keys = array_renew(areas->keys, areas->count, &areas->key_room, sizeof(*areas->keys));
	areas->order = array_renew(areas->order, areas->count, &areas->order_room, sizeof(*areas->order));
	areas->spare = array_renew(areas->spare, areas->count, &areas->spare_room, sizeof(*areas->spare));
}

static int compare_indexes(const void *left, const void *right, void *context)
{
	const struct area *list = context;

	return compare_areas(&list[*(const uint32_t *)left], &list[*(const uint32_t *)right]);
}

/* Sorts the indexes of the areas by start. Then sorts those with the same start. */
static void make_order(struct areas *areas)
{
	size_t i;

	for (i = 0; i < areas->count; i++) {
		areas->order[i] = (uint32_t)i;
		areas->keys[i] = areas->list[i].start;
	}
	radix_sort(&areas->radix, areas->keys, areas->order, areas->count);
	radix_sort_equal(areas->keys, areas->order, areas->count, compare_indexes, areas->list);
}

/* Exchanges the areas with the spare memory. */
static void exchange(struct areas *areas)
{
	struct area *list = areas->list;
	size_t room = areas->room;

	areas->list = areas->spare;
	areas->room = areas->spare_room;
	areas->spare = list;
	areas->spare_room = room;
}

/* Sorts all areas. Areas that are equal except for their counts become one. */
static void sort_all(struct areas *areas)
{
	size_t to = 0;
	size_t i;

	make_room(areas);
	make_order(areas);
	for (i = 0; i < areas->count; i++) {
		const struct area *area = &areas->list[areas->order[i]];

		if (to && !compare_areas(&areas->spare[to - 1], area))
			add_count(areas, &areas->spare[to - 1], area->count);
		else
			areas->spare[to++] = *area;
	}
	areas->count = to;
	areas->in_order = true;
	exchange(areas);
	/* Large files are rare, and need memory for their segments now. */
	if (areas->spare_room > SPARE_KEPT) {
		free(areas->spare);
		areas->spare = NULL;
		areas->spare_room = 0;
	}
}

/*
 * Regions come in the order of their starts, but regions with the same start come in any order. So a new area moves
 * before those of the last few areas that must come after it. For most functions, nothing is then left to sort.
 */
static void insert(struct areas *areas, const struct area *area)
{
	struct area *list = areas->list;
	size_t at = areas->count++;
	size_t first = at < MOVED_MAX ? 0 : at - MOVED_MAX;

	areas->distinct = false;
	for (; at > first && list[at - 1].start == area->start && compare_areas(&list[at - 1], area) > 0; at--)
		list[at] = list[at - 1];
	areas->in_order &= !at || compare_areas(&list[at - 1], area) <= 0;
	list[at] = *area;
}

/*
 * Thousands of functions may have the same regions of a header. Equal areas become one each time the list has doubled,
 * which saves memory.
 */
static void merge_early(struct areas *areas)
{
	sort_all(areas);
	areas->sort_at = areas->count < SORT_EARLY / 2 ? SORT_EARLY : 2 * areas->count;
}

void areas_add_one(struct areas *areas, const struct area *area)
{
	areas->list = array_grow(areas->list, areas->count, &areas->room, sizeof(*areas->list));
	if (areas->count && area->start <= areas->list[areas->count - 1].start)
		insert(areas, area);
	else
		areas->list[areas->count++] = *area;
	if (areas->count >= areas->sort_at)
		merge_early(areas);
}

void areas_add(struct areas *areas, const struct region *regions, size_t count)
{
	const struct region *region = regions;

	for (; region < regions + count; region++) {
		const struct area area = {location(region->line, region->column),
			location(region->end_line, region->end_column), region->count, region->kind};

		if (region_is_counted(region))
			areas_add_one(areas, &area);
	}
}

/*
 * Areas with the same extent become one. If they have the same kind, their counts are added: they come from several
 * instantiations or expansions. A macro that expands to another macro has regions of two kinds with the same extent, which
 * must not count twice.
 */
static void combine(struct areas *areas)
{
	size_t last = 0;
	size_t i;

	for (i = 1; i < areas->count; i++) {
		const struct area *area = &areas->list[i];
		struct area *kept = &areas->list[last];

		if (kept->start != area->start || kept->end != area->end)
			areas->list[++last] = *area;
		else if (kept->kind == area->kind)
			add_count(areas, kept, area->count);
	}
	areas->count = areas->count ? last + 1 : 0;
}

void areas_sort(struct areas *areas)
{
	if (!areas->in_order)
		sort_all(areas);
	if (!areas->distinct)
		combine(areas);
	areas->distinct = true;
}

void areas_free(struct areas *areas)
{
	free(areas->list);
	free(areas->spare);
	free(areas->keys);
	free(areas->order);
	radix_free(&areas->radix);
	*areas = (struct areas){0};
}
