/* SPDX-License-Identifier: BSD-2-Clause */
/* segment.h - a list of segments while it is made. */
#ifndef BAREPROF_HOST_SEGMENT_H
#define BAREPROF_HOST_SEGMENT_H

#include "areas.h"

/* Files have many segments, so a segment is small. Line numbers are far below 2^29, see region_read.c. */
#define SEGMENT_LINE_BITS 29

struct segment {
	uint32_t line : SEGMENT_LINE_BITS;
	bool has_count : 1; /* false: this piece has no code, or the preprocessor left it out */
	bool is_entry : 1; /* a region starts here that is not a gap */
	bool is_gap : 1;
	uint32_t column;
	uint64_t count;
};

_Static_assert(sizeof(struct segment) == 16, "a segment has 16 bytes");

/* segment_at - returns a segment at @start with these members. */
static inline struct segment segment_at(uint64_t start, uint64_t count, bool has_count, bool is_entry, bool is_gap)
{
	/* The mask only tells the compiler that no bits are lost. */
	return (struct segment){.line = start >> 32 & ((1u << SEGMENT_LINE_BITS) - 1),
		.has_count = has_count,
		.is_entry = is_entry,
		.is_gap = is_gap,
		.column = (uint32_t)start,
		.count = count};
}

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
	segments->list[segments->count++] =
		segment_at(start, has_count ? area->count : 0, has_count, entry, has_count && area->kind == REGION_GAP);
}

/* segment_put_blank - appends a segment without code. */
static inline void segment_put_blank(struct segment_list *segments, uint64_t start, bool entry)
{
	segments->list[segments->count++] = segment_at(start, 0, false, entry, false);
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
