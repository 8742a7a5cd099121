/* SPDX-License-Identifier: BSD-2-Clause */
/* segment.h - a list of segments while it is made. */
#ifndef BAREPROF_HOST_SEGMENT_H
#define BAREPROF_HOST_SEGMENT_H

#include "areas.h"

struct segment {
	uint32_t line;
	uint32_t column;
	uint64_t count;
	bool has_count; /* false: this piece has no code, or the preprocessor left it out */
	bool is_entry; /* a region starts here that is not a gap */
	bool is_gap;
};

/* An area leads to at most two segments, so the list has room for two segments for each area. */
struct segment_list {
	struct segment *list;
	size_t count;
};

/*
 * segment_put - appends a segment that starts at @start and has the count of @area, unless it would repeat the last segment.
 * @entry: a region that is not a gap starts here.
 */
static inline void segment_put(struct segment_list *segments, const struct area *area, uint64_t start, bool entry)
{
	bool has_count = area->kind != REGION_SKIPPED;
	const struct segment *last = segments->count ? &segments->list[segments->count - 1] : NULL;

	if (last && !entry && last->has_count == has_count && last->count == area->count && !last->is_entry)
		return;
	segments->list[segments->count++] = (struct segment){(uint32_t)(start >> 32), (uint32_t)start,
		has_count ? area->count : 0, has_count, entry, has_count && area->kind == REGION_GAP};
}

/* segment_put_blank - appends a segment without code. */
static inline void segment_put_blank(struct segment_list *segments, uint64_t start, bool entry)
{
	segments->list[segments->count++] =
		(struct segment){(uint32_t)(start >> 32), (uint32_t)start, 0, false, entry, false};
}

/*
 * segment_put_empty - appends the segments of the empty area @area. @around is the innermost area that contains it, or
 * NULL. @last tells whether it is the last area.
 */
static inline void segment_put_empty(
	struct segment_list *segments, const struct area *area, const struct area *around, bool last)
{
	bool entry = area->kind != REGION_GAP;

	if (last || area->kind == REGION_SKIPPED) {
		segment_put_blank(segments, area->start, entry);
		if (around)
			segment_put(segments, around, area->start, false);
	} else {
		segment_put(segments, around ? around : area, area->start, entry);
	}
}

#endif
