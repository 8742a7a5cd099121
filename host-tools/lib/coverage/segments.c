/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * segments.c - cuts a file into segments. The regions are sorted by their starts, and a region comes before those that it
 * contains. A walk over them keeps the regions that contain the current location: the active regions. Where a region
 * starts, a segment with its count starts. Where regions end, a segment with the count of the region around them starts.
 */
#include "segments.h"

#include <stdlib.h>

/* This index stands for no area. */
#define AREA_NONE UINT32_MAX

#define MOVED_MAX  8 /* see segments_add() */
#define SPARE_KEPT (1u << 16) /* areas whose memory is kept for the next file */
#define SORT_EARLY (1u << 15) /* areas after which equal ones become one, see segments_add() */

void segments_start(struct segments *segments, const struct coverage_rules *rules, bool byte_counters)
{
	segments->byte_counts = byte_counters && rules->byte_counts;
	segments->area_count = 0;
	segments->sort_at = SORT_EARLY;
	segments->count = 0;
}

static int compare_areas(const struct area *a, const struct area *b)
{
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

/* Returns the end of the sorted run that starts at index @first. */
static size_t run_end(const struct area *areas, size_t first, size_t count)
{
	size_t end = first + 1;

	while (end < count && compare_areas(&areas[end - 1], &areas[end]) <= 0)
		end++;
	return end < count ? end : count;
}

static void add_count(const struct segments *segments, struct area *area, uint64_t count)
{
	area->count = segments->byte_counts ? area->count || count : area->count + count;
}

/*
 * Merges each two runs of @areas to one run in segments->spare. Equal areas become one. So the areas that thousands of
 * functions have from one header soon become few. Returns the new number of areas.
 */
static size_t merge_runs(struct segments *segments)
{
	const struct area *areas = segments->areas;
	struct area *merged = segments->spare;
	size_t count = segments->area_count;
	size_t total = 0;
	size_t first = 0;

	while (first < count) {
		size_t middle = run_end(areas, first, count);
		size_t end = middle < count ? run_end(areas, middle, count) : middle;
		size_t left = first;
		size_t right = middle;
		size_t start = total;

		while (left < middle || right < end) {
			bool from_left =
				right == end || (left < middle && compare_areas(&areas[left], &areas[right]) <= 0);
			const struct area *area = from_left ? &areas[left++] : &areas[right++];

			if (total > start && !compare_areas(&merged[total - 1], area))
				add_count(segments, &merged[total - 1], area->count);
			else
				merged[total++] = *area;
		}
		first = end;
	}
	return total;
}

/* Exchanges the areas with the spare memory. */
static void exchange(struct segments *segments)
{
	struct area *areas = segments->areas;
	size_t room = segments->area_room;

	segments->areas = segments->spare;
	segments->area_room = segments->spare_room;
	segments->spare = areas;
	segments->spare_room = room;
}

/* A sorted run of areas. */
struct run {
	size_t first;
	size_t end;
};

static int compare_runs(const void *left, const void *right, void *context)
{
	const struct area *areas = context;

	return compare_areas(&areas[((const struct run *)left)->first], &areas[((const struct run *)right)->first]);
}

/*
 * Puts the runs into the order of their first areas. The runs of functions that follow each other then become one run.
 */
static void sort_runs(struct segments *segments)
{
	struct run *runs = NULL;
	size_t count = 0;
	size_t room = 0;
	size_t to = 0;
	size_t i;

	for (i = 0; i < segments->area_count; i = runs[count - 1].end) {
		runs = array_grow(runs, count, &room, sizeof(*runs));
		runs[count++] = (struct run){i, run_end(segments->areas, i, segments->area_count)};
	}
	qsort_r(runs, count, sizeof(*runs), compare_runs, segments->areas);
	for (i = 0; i < count; i++) {
		size_t n = runs[i].end - runs[i].first;

		memcpy(&segments->spare[to], &segments->areas[runs[i].first], n * sizeof(*segments->spare));
		to += n;
	}
	free(runs);
	exchange(segments);
}

/* The regions of each function are in order already. */
static void sort_areas(struct segments *segments)
{
	if (run_end(segments->areas, 0, segments->area_count) == segments->area_count)
		return;
	if (segments->spare_room < segments->area_count) {
		free(segments->spare);
		segments->spare_room = segments->area_room;
		segments->spare = allocate(segments->spare_room, sizeof(*segments->spare));
	}
	sort_runs(segments);
	while (run_end(segments->areas, 0, segments->area_count) < segments->area_count) {
		segments->area_count = merge_runs(segments);
		exchange(segments);
	}
	/* Large files are rare, and need memory for their segments now. */
	if (segments->spare_room > SPARE_KEPT) {
		free(segments->spare);
		segments->spare = NULL;
		segments->spare_room = 0;
	}
}

/*
 * Regions come in the order of their starts, but regions with the same start come in any order. So each region is moved
 * before those of the last few regions that it precedes. For most functions, nothing is then left to sort.
 *
 * Thousands of functions may have the same regions of a header. These become one now and then, so that memory is not
 * needed for all of them.
 */
void segments_add(struct segments *segments, const struct region *region)
{
	struct area area = {location(region->line, region->column), location(region->end_line, region->end_column),
		region->count, region->kind, AREA_NONE, AREA_NONE};
	size_t at = segments->area_count++;
	size_t first = at < MOVED_MAX ? 0 : at - MOVED_MAX;
	struct area *areas;

	segments->areas = array_grow(segments->areas, at, &segments->area_room, sizeof(*segments->areas));
	areas = segments->areas;
	for (; at > first && areas[at - 1].start == area.start && compare_areas(&areas[at - 1], &area) > 0; at--)
		areas[at] = areas[at - 1];
	areas[at] = area;
	if (segments->area_count >= segments->sort_at) {
		sort_areas(segments);
		segments->sort_at = segments->area_count < SORT_EARLY / 2 ? SORT_EARLY : 2 * segments->area_count;
	}
}

/*
 * Regions with the same extent become one. If they have the same kind, their counts are added: they come from several
 * instantiations or expansions. A macro that expands to another macro has regions of two kinds with the same extent, which
 * must not count twice.
 */
static void combine(struct segments *segments)
{
	size_t last = 0;
	size_t i;

	for (i = 1; i < segments->area_count; i++) {
		const struct area *area = &segments->areas[i];
		struct area *kept = &segments->areas[last];

		if (kept->start != area->start || kept->end != area->end)
			segments->areas[++last] = *area;
		else if (kept->kind == area->kind)
			add_count(segments, kept, area->count);
	}
	segments->area_count = segments->area_count ? last + 1 : 0;
}

/* Appends a segment with the count of @area, which starts at @start. */
static void start_segment(struct segments *segments, const struct area *area, uint64_t start, bool entry)
{
	bool has_count = area->kind != REGION_SKIPPED;
	const struct segment *last = segments->count ? &segments->list[segments->count - 1] : NULL;

	/* A segment like the one before it would change nothing. */
	if (last && !entry && last->has_count == has_count && last->count == area->count && !last->is_entry)
		return;
	segments->list = array_grow(segments->list, segments->count, &segments->room, sizeof(*segments->list));
	segments->list[segments->count++] = (struct segment){(uint32_t)(start >> 32), (uint32_t)start,
		has_count ? area->count : 0, has_count, entry, has_count && area->kind == REGION_GAP};
}

/* Appends a segment without code. */
static void start_blank(struct segments *segments, uint64_t start, bool entry)
{
	segments->list = array_grow(segments->list, segments->count, &segments->room, sizeof(*segments->list));
	segments->list[segments->count++] =
		(struct segment){(uint32_t)(start >> 32), (uint32_t)start, 0, false, entry, false};
}

/*
 * Appends segments for the @count regions in segments->ended, which are no longer active at @next, the start of the next
 * region. They are sorted by their ends. @around is the innermost region that is still active, or NULL. At the end of the
 * file, @next is UINT64_MAX.
 */
static void complete(struct segments *segments, size_t count, const struct area *around, uint64_t next)
{
	const uint32_t *ended = segments->ended;
	uint64_t end;
	size_t i;
	size_t same;

	for (i = 1; i < count; i++) {
		uint64_t start = segments->areas[ended[i - 1]].end;

		end = segments->areas[ended[i]].end;
		if (start == next)
			break;
		if (start == end)
			continue;
		/* Of the regions that end at the same location, the last one counts. */
		for (same = i; same + 1 < count && segments->areas[ended[same + 1]].end == end; same++)
			;
		start_segment(segments, &segments->areas[ended[same]], start, false);
	}
	end = segments->areas[ended[count - 1]].end;
	if (end == next)
		return;
	if (around)
		start_segment(segments, around, end, false);
	else
		start_blank(segments, end, false);
}

/*
 * The active regions are in a list, in the order of their starts, and in a heap by their ends. So a region that ends is
 * found and taken out of the list in little time, even if thousands are active and they do not contain each other.
 */
static bool ends_before(const struct segments *segments, uint32_t left, uint32_t right)
{
	const struct area *a = &segments->areas[left];
	const struct area *b = &segments->areas[right];

	return a->end != b->end ? a->end < b->end : left < right;
}

static void heap_add(struct segments *segments, uint32_t area)
{
	size_t at = segments->heap_count++;

	while (at && ends_before(segments, area, segments->heap[(at - 1) / 2])) {
		segments->heap[at] = segments->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	segments->heap[at] = area;
}

static uint32_t heap_take(struct segments *segments)
{
	uint32_t *heap = segments->heap;
	uint32_t first = heap[0];
	uint32_t moved = heap[--segments->heap_count];
	size_t at = 0;
	size_t child;

	while ((child = 2 * at + 1) < segments->heap_count) {
		if (child + 1 < segments->heap_count && ends_before(segments, heap[child + 1], heap[child]))
			child++;
		if (ends_before(segments, moved, heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
	return first;
}

static void activate(struct segments *segments, uint32_t area)
{
	segments->areas[area].before = segments->innermost;
	segments->areas[area].after = AREA_NONE;
	if (segments->innermost != AREA_NONE)
		segments->areas[segments->innermost].after = area;
	segments->innermost = area;
	heap_add(segments, area);
}

/* Moves the active regions that end at or before @start to segments->ended, sorted by their ends. Returns their number. */
static size_t take_ended(struct segments *segments, uint64_t start)
{
	size_t count = 0;

	while (segments->heap_count && segments->areas[segments->heap[0]].end <= start) {
		uint32_t area = heap_take(segments);
		uint32_t before = segments->areas[area].before;
		uint32_t after = segments->areas[area].after;

		if (before != AREA_NONE)
			segments->areas[before].after = after;
		if (after != AREA_NONE)
			segments->areas[after].before = before;
		else
			segments->innermost = before;
		segments->ended[count++] = area;
	}
	return count;
}

static const struct area *innermost(const struct segments *segments)
{
	return segments->innermost == AREA_NONE ? NULL : &segments->areas[segments->innermost];
}

/* Returns whether a region has no content. It only changes the count of the text behind it. */
static bool is_empty(const struct area *area)
{
	return area->start == area->end;
}

/* Appends the segments of the empty region @area. @around is the innermost active region, or NULL. */
static void start_empty(struct segments *segments, const struct area *area, const struct area *around, bool last)
{
	bool entry = area->kind != REGION_GAP;

	if (last || area->kind == REGION_SKIPPED) {
		start_blank(segments, area->start, entry);
		if (around)
			start_segment(segments, around, area->start, false);
	} else {
		start_segment(segments, around ? around : area, area->start, entry);
	}
}

static void make_room(struct segments *segments)
{
	if (segments->work_room >= segments->area_count)
		return;
	free(segments->heap);
	free(segments->ended);
	segments->work_room = 2 * segments->area_count;
	segments->heap = allocate(segments->work_room, sizeof(*segments->heap));
	segments->ended = allocate(segments->work_room, sizeof(*segments->ended));
}

void segments_build(struct segments *segments)
{
	size_t ended;
	size_t i;

	segments->count = 0;
	segments->heap_count = 0;
	segments->innermost = AREA_NONE;
	sort_areas(segments);
	combine(segments);
	make_room(segments);
	for (i = 0; i < segments->area_count; i++) {
		const struct area *area = &segments->areas[i];
		bool last = i + 1 == segments->area_count;

		ended = take_ended(segments, area->start);
		if (ended)
			complete(segments, ended, innermost(segments), area->start);
		if (is_empty(area)) {
			start_empty(segments, area, innermost(segments), last);
			continue;
		}
		if (last || area->start != segments->areas[i + 1].start)
			start_segment(segments, area, area->start, area->kind != REGION_GAP);
		activate(segments, (uint32_t)i);
	}
	ended = take_ended(segments, UINT64_MAX);
	if (ended)
		complete(segments, ended, NULL, UINT64_MAX);
}

void segments_free(struct segments *segments)
{
	free(segments->list);
	free(segments->areas);
	free(segments->spare);
	free(segments->heap);
	free(segments->ended);
	*segments = (struct segments){0};
}
