/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * overlaps.c - cuts a part of a file into segments if areas in this part overlap: they have text in common, and neither
 * contains the other. Such areas are rare. They come from macros with half of a statement, or from regions of other
 * functions.
 */
#include "overlaps.h"

#include <stdlib.h>

/* This index stands for no area. */
#define AREA_NONE UINT32_MAX

/* While segments are made. */
struct cutting {
	struct overlaps *overlaps;
	const struct area *areas;
	struct segment_list *segments;
};

/*
 * Appends segments for the @count areas in overlaps->ended, which are no longer active at @next, the start of the next
 * area. They are sorted by their ends. @around is the innermost area that is still active, or NULL. At the end of the
 * file, @next is UINT64_MAX.
 */
static void complete(struct cutting *cutting, size_t count, const struct area *around, uint64_t next)
{
	const uint32_t *ended = cutting->overlaps->ended;
	const struct area *areas = cutting->areas;
	uint64_t end;
	size_t i;
	size_t same;

	for (i = 1; i < count; i++) {
		uint64_t start = areas[ended[i - 1]].end;

		end = areas[ended[i]].end;
		if (start == next)
			break;
		if (start == end)
			continue;
		/* The last of the areas that end at the same location counts. */
		for (same = i; same + 1 < count && areas[ended[same + 1]].end == end; same++)
			;
		segment_put(cutting->segments, &areas[ended[same]], start, false);
	}
	end = areas[ended[count - 1]].end;
	if (end == next)
		return;
	if (around)
		segment_put(cutting->segments, around, end, false);
	else
		segment_put_blank(cutting->segments, end, false);
}

/*
 * The active areas are in a list, in the order of their starts, and in a heap by their ends. So an area that ends is
 * found and taken out of the list in little time, even if thousands are active and they do not contain each other.
 */
static bool ends_before(const struct cutting *cutting, uint32_t left, uint32_t right)
{
	const struct area *a = &cutting->areas[left];
	const struct area *b = &cutting->areas[right];

	return a->end != b->end ? a->end < b->end : left < right;
}

static void heap_add(struct cutting *cutting, uint32_t area)
{
	size_t at = cutting->overlaps->heap_count++;

	while (at && ends_before(cutting, area, cutting->overlaps->heap[(at - 1) / 2])) {
		cutting->overlaps->heap[at] = cutting->overlaps->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	cutting->overlaps->heap[at] = area;
}

static uint32_t heap_take(struct cutting *cutting)
{
	uint32_t *heap = cutting->overlaps->heap;
	uint32_t first = heap[0];
	uint32_t moved = heap[--cutting->overlaps->heap_count];
	size_t at = 0;
	size_t child;

	while ((child = 2 * at + 1) < cutting->overlaps->heap_count) {
		if (child + 1 < cutting->overlaps->heap_count && ends_before(cutting, heap[child + 1], heap[child]))
			child++;
		if (ends_before(cutting, moved, heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
	return first;
}

static void activate(struct cutting *cutting, uint32_t area)
{
	cutting->overlaps->before[area] = cutting->overlaps->innermost;
	cutting->overlaps->after[area] = AREA_NONE;
	if (cutting->overlaps->innermost != AREA_NONE)
		cutting->overlaps->after[cutting->overlaps->innermost] = area;
	cutting->overlaps->innermost = area;
	heap_add(cutting, area);
}

/* Moves the active areas that end at or before @start to overlaps->ended, sorted by their ends. Returns their number. */
static size_t take_ended(struct cutting *cutting, uint64_t start)
{
	size_t count = 0;

	while (cutting->overlaps->heap_count && cutting->areas[cutting->overlaps->heap[0]].end <= start) {
		uint32_t area = heap_take(cutting);
		uint32_t before = cutting->overlaps->before[area];
		uint32_t after = cutting->overlaps->after[area];

		if (before != AREA_NONE)
			cutting->overlaps->after[before] = after;
		if (after != AREA_NONE)
			cutting->overlaps->before[after] = before;
		else
			cutting->overlaps->innermost = before;
		cutting->overlaps->ended[count++] = area;
	}
	return count;
}

static const struct area *innermost(const struct cutting *cutting)
{
	uint32_t innermost = cutting->overlaps->innermost;

	return innermost == AREA_NONE ? NULL : &cutting->areas[innermost];
}

static uint32_t *renew(uint32_t *list, size_t count, size_t *room)
{
	return array_renew(list, count, room, sizeof(*list));
}

static void make_room(struct overlaps *overlaps, size_t count)
{
	overlaps->heap = renew(overlaps->heap, count, &overlaps->heap_room);
	overlaps->ended = renew(overlaps->ended, count, &overlaps->ended_room);
	overlaps->before = renew(overlaps->before, count, &overlaps->before_room);
	overlaps->after = renew(overlaps->after, count, &overlaps->after_room);
}

size_t overlaps_build(struct overlaps *overlaps, const struct areas *areas, size_t first, struct segment_list *segments)
{
	struct cutting cutting = {overlaps, areas->list, segments};
	size_t ended;
	size_t i;

	make_room(overlaps, areas->count);
	overlaps->heap_count = 0;
	overlaps->innermost = AREA_NONE;
	for (i = first; i < areas->count; i++) {
		const struct area *area = &areas->list[i];
		bool last = i + 1 == areas->count;

		ended = take_ended(&cutting, area->start);
		if (ended)
			complete(&cutting, ended, innermost(&cutting), area->start);
		if (ended && !overlaps->heap_count)
			return i;
		if (area_is_empty(area)) {
			segment_put_empty(segments, area, innermost(&cutting), last);
			continue;
		}
		if (last || area->start != area[1].start)
			segment_put(segments, area, area->start, area->kind != REGION_GAP);
		activate(&cutting, (uint32_t)i);
	}
	ended = take_ended(&cutting, UINT64_MAX);
	if (ended)
		complete(&cutting, ended, NULL, UINT64_MAX);
	return areas->count;
}

void overlaps_free(struct overlaps *overlaps)
{
	free(overlaps->heap);
	free(overlaps->ended);
	free(overlaps->before);
	free(overlaps->after);
	*overlaps = (struct overlaps){0};
}
