/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * segments.c - cuts a file into segments. A walk over the sorted areas keeps those that contain the current location: the
 * active areas. Where an area starts, a segment with its count starts. Where areas end, a segment with the count of the
 * area around them starts.
 */
#include "segments.h"

#include <stdlib.h>

void segments_start(struct segments *segments, const struct coverage_rules *rules, bool byte_counters)
{
	areas_start(&segments->areas, byte_counters && rules->byte_counts);
	segments->count = 0;
}

/* Makes room for the most segments and active areas that the areas can have. */
static void make_room(struct segments *segments)
{
	segments->list =
		array_renew(segments->list, 2 * segments->areas.count, &segments->room, sizeof(*segments->list));
	segments->active =
		array_renew(segments->active, segments->areas.count, &segments->active_room, sizeof(*segments->active));
}

/* While segments are made. Each active area contains the next one. */
struct cutting {
	const struct area **active;
	size_t depth; /* number of active areas */
	struct segment_list out;
};

static const struct area *innermost(const struct cutting *cutting)
{
	return cutting->depth ? cutting->active[cutting->depth - 1] : NULL;
}

/*
 * Removes the active areas that end at or before @next, the innermost first, and appends a segment where each of them ends.
 */
static void end_areas(struct cutting *cutting, uint64_t next)
{
	uint64_t end = cutting->active[--cutting->depth]->end;
	const struct area *area;

	for (; (area = innermost(cutting)) && area->end <= next; cutting->depth--) {
		/* The innermost of the areas that end at the same location counts. */
		if (area->end == end)
			continue;
		segment_put(&cutting->out, area, end, false);
		end = area->end;
	}
	/* The next area starts a segment itself. */
	if (end == next)
		return;
	if (area)
		segment_put(&cutting->out, area, end, false);
	else
		segment_put_blank(&cutting->out, end, false);
}

/*
 * Appends the segments of the sorted @areas from index *@at on. Returns false if two areas overlap: they have text in
 * common, and neither contains the other. Then *@at is the index of the outermost area around them, and the list has the
 * segments of the areas before it.
 */
static bool cut_nested(struct cutting *cutting, const struct areas *areas, size_t *at)
{
	const struct area *area = areas->list + *at;
	const struct area *end = areas->list + areas->count;
	size_t before = cutting->out.count; /* number of segments before the area *@at */

	for (; area < end; area++) {
		bool last = area + 1 == end;

		if (cutting->depth && innermost(cutting)->end <= area->start)
			end_areas(cutting, area->start);
		if (!cutting->depth) {
			*at = (size_t)(area - areas->list);
			before = cutting->out.count;
		}
		if (area_is_empty(area)) {
			segment_put_empty(&cutting->out, area, innermost(cutting), last);
			continue;
		}
		if (cutting->depth && innermost(cutting)->end < area->end) {
			cutting->out.count = before;
			cutting->depth = 0;
			return false;
		}
		if (last || area->start != area[1].start)
			segment_put(&cutting->out, area, area->start, area->kind != REGION_GAP);
		cutting->active[cutting->depth++] = area;
	}
	if (cutting->depth)
		end_areas(cutting, UINT64_MAX);
	return true;
}

void segments_build(struct segments *segments)
{
	struct cutting cutting = {.depth = 0};
	size_t at = 0;

	segments->count = 0;
	if (!segments->areas.count)
		return;
	areas_sort(&segments->areas);
	make_room(segments);
	cutting.active = segments->active;
	cutting.out.list = segments->list;
	while (!cut_nested(&cutting, &segments->areas, &at))
		at = overlaps_build(&segments->overlaps, &segments->areas, at, &cutting.out);
	segments->count = cutting.out.count;
}

void segments_free(struct segments *segments)
{
	free(segments->list);
	free(segments->active);
	areas_free(&segments->areas);
	overlaps_free(&segments->overlaps);
	*segments = (struct segments){0};
}
