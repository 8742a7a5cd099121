/* SPDX-License-Identifier: BSD-2-Clause */
/* areas.c - collects and sorts areas. The areas of one function are nearly sorted. */
#include "areas.h"

#include <stdlib.h>

#define MOVED_MAX   8 /* see areas_insert() */
#define SPARE_KEPT  (1u << 16) /* areas whose memory is kept for the next file */
#define SORT_EARLY  (1u << 15) /* see merge_early() */
#define WORK_FACTOR 16u /* sort_groups() moves at most this number of areas for each area */

void areas_start(struct areas *areas, bool byte_counts)
{
	areas->byte_counts = byte_counts;
	areas->count = 0;
	areas->in_order = true;
	areas->distinct = true;
	areas->sort_at = SORT_EARLY;
}

static int compare_areas(const void *left, const void *right)
{
	const struct area *a = left;
	const struct area *b = right;

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

/*
 * Lists the groups, and returns their number. A group is a list of sorted areas in which each area starts before the end of
 * an area that comes before it. Functions come in any order, but the areas of one function are nearly sorted. So most
 * functions are one group, and each macro that they use is another one. It is enough to sort and merge the groups.
 */
static size_t find_groups(struct areas *areas)
{
	const struct area *list = areas->list;
	size_t count = 0;
	uint64_t end = 0;
	size_t i;

	areas->groups = array_renew(areas->groups, areas->count + 1, &areas->group_room, sizeof(*areas->groups));
	areas->starts = array_renew(areas->starts, areas->count, &areas->start_room, sizeof(*areas->starts));
	areas->order = array_renew(areas->order, areas->count, &areas->order_room, sizeof(*areas->order));
	for (i = 0; i < areas->count; i++) {
		if (list[i].start < end && compare_areas(&list[i - 1], &list[i]) <= 0) {
			end = list[i].end > end ? list[i].end : end;
			continue;
		}
		areas->starts[count] = list[i].start;
		areas->order[count] = (uint32_t)count;
		areas->groups[count++] = (uint32_t)i;
		end = list[i].end;
	}
	areas->groups[count] = (uint32_t)areas->count;
	return count;
}

/*
 * Merges the sorted areas from @right to @right_end with those in the spare memory between @to and @end. The spare memory
 * has room for all areas. Most areas that are equal except for their counts become one; combine() finds the others.
 * Returns the end of the areas in the spare memory.
 */
static struct area *merge(
	struct areas *areas, struct area *to, struct area *end, const struct area *right, const struct area *right_end)
{
	const struct area *left;
	const struct area *left_end;

	/* The groups of most instantiations and macros are equal. */
	for (; to < end && right < right_end && !compare_areas(to, right); to++, right++)
		add_count(areas, to, right->count);
	if (to == end) {
		memcpy(to, right, (size_t)(right_end - right) * sizeof(*to));
		return to + (right_end - right);
	}
	if (right == right_end)
		return end;
	areas->tail = array_renew(areas->tail, (size_t)(end - to), &areas->tail_room, sizeof(*areas->tail));
	left = areas->tail;
	left_end = left + (end - to);
	memcpy(areas->tail, to, (size_t)(end - to) * sizeof(*to));
	for (; left < left_end && right < right_end; to++) {
		int order = compare_areas(left, right);

		*to = order <= 0 ? *left++ : *right++;
		if (!order)
			add_count(areas, to, right++->count);
	}
	while (left < left_end)
		*to++ = *left++;
	while (right < right_end)
		*to++ = *right++;
	return to;
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

/*
 * Sorts the groups by their starts, and merges them. Returns false, and leaves the areas as they are, if this takes too much
 * work: many areas of other groups start after the start of a group. Then qsort() is faster.
 */
static bool sort_groups(struct areas *areas)
{
	size_t count = find_groups(areas);
	size_t work_limit = WORK_FACTOR * areas->count;
	struct area *end;
	size_t i;

	areas->spare = array_renew(areas->spare, areas->count, &areas->spare_room, sizeof(*areas->spare));
	radix_sort(&areas->radix, areas->starts, areas->order, count);
	end = areas->spare;
	for (i = 0; i < count; i++) {
		const struct area *area = &areas->list[areas->groups[areas->order[i]]];
		const struct area *group_end = &areas->list[areas->groups[areas->order[i] + 1]];
		struct area *to = end;

		for (; to > areas->spare && to[-1].start >= area->start && work_limit; to--)
			work_limit--;
		if (!work_limit)
			return false;
		end = merge(areas, to, end, area, group_end);
	}
	areas->count = (size_t)(end - areas->spare);
	exchange(areas);
	return true;
}

/*
 * Regions come in the order of their starts, but regions with the same start come in any order. So a new area moves
 * before those of the last few areas that must come after it. For most functions, nothing is then left to sort.
 */
void areas_insert(struct areas *areas, const struct area *area)
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

/* Sorts the areas. Those with the same extent become one. */
static void sort_all(struct areas *areas)
{
	if (!areas->in_order && !sort_groups(areas))
		qsort(areas->list, areas->count, sizeof(*areas->list), compare_areas);
	areas->in_order = true;
	if (!areas->distinct)
		combine(areas);
	areas->distinct = true;
}

/*
 * Thousands of functions may have the same regions of a header. Areas with the same extent become one each time the list has
 * doubled, which saves memory.
 */
static void merge_early(struct areas *areas)
{
	sort_all(areas);
	areas->sort_at = areas->count < SORT_EARLY / 2 ? SORT_EARLY : 2 * areas->count;
}

void areas_reserve(struct areas *areas, size_t n)
{
	if (areas->count >= areas->sort_at)
		merge_early(areas);
	areas->list = array_reserve(areas->list, areas->count, n, &areas->room, sizeof(*areas->list));
}

void areas_add(struct areas *areas, const struct region *regions, size_t count)
{
	const struct region *region = regions;

	areas_reserve(areas, count);
	for (; region < regions + count; region++) {
		const struct area area = {location(region->line, region->column),
			location(region->end_line, region->end_column), region->count, region->kind};

		if (region_is_counted(region))
			areas_put(areas, &area);
	}
}

/* Frees memory for sorting if it is large. Large files are rare, and need memory for their segments now. */
static void free_large(struct area **list, size_t *room)
{
	if (*room <= SPARE_KEPT)
		return;
	free(*list);
	*list = NULL;
	*room = 0;
}

void areas_sort(struct areas *areas)
{
	sort_all(areas);
	free_large(&areas->spare, &areas->spare_room);
	free_large(&areas->tail, &areas->tail_room);
}

void areas_free(struct areas *areas)
{
	free(areas->list);
	free(areas->spare);
	free(areas->tail);
	free(areas->groups);
	free(areas->starts);
	free(areas->order);
	radix_free(&areas->radix);
	*areas = (struct areas){0};
}
