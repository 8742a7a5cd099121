/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * segments.h - which count each piece of a source file has. Regions contain each other, so a file is cut into segments:
 * each starts at a location and ends where the next one starts. The count of a line follows from its segments.
 */
#ifndef BAREPROF_HOST_SEGMENTS_H
#define BAREPROF_HOST_SEGMENTS_H

#include "coverage_rules.h"
#include "region.h"

struct segment {
	uint32_t line;
	uint32_t column;
	uint64_t count;
	bool has_count; /* false: this piece has no code, or the preprocessor left it out */
	bool is_entry; /* a region starts here that is not a gap */
	bool is_gap;
};

/* The members of a region on which segments depend. */
struct area {
	uint64_t start; /* the line in the upper 32 bits, the column in the lower ones */
	uint64_t end;
	uint64_t count;
	enum region_kind kind;
	/* The regions before and after it that contain the same location. These members belong to segments.c. */
	uint32_t before;
	uint32_t after;
};

/* The segments of a file. Starts as all zeros, can be used again, and ends with segments_free(). */
struct segments {
	struct segment *list; /* by location */
	size_t count;
	size_t room;
	struct area *areas; /* filled by segments_add() */
	size_t area_count;
	size_t area_room;
	/* The following members belong to segments.c. */
	bool byte_counts; /* a count tells only whether code ran */
	size_t sort_at; /* if there are this many areas, equal areas become one */
	struct area *spare; /* memory of the same size, for sorting */
	size_t spare_room;
	uint32_t innermost;
	uint32_t *heap;
	size_t heap_count;
	uint32_t *ended;
	size_t work_room;
};

/*
 * segments_start - forgets all regions. @byte_counters tells whether the program has byte counters.
 * segments_add - adds a region, which is neither a condition nor a decision.
 * segments_build - makes the list from all regions that were added.
 */
void segments_start(struct segments *segments, const struct coverage_rules *rules, bool byte_counters);
void segments_add(struct segments *segments, const struct region *region);
void segments_build(struct segments *segments);
void segments_free(struct segments *segments);

/* A walk over the lines of a file. Set @segments and @rules, and zero the rest. */
struct line_walk {
	const struct segments *segments;
	const struct coverage_rules *rules;
	uint64_t line; /* the current line; after the last one, the walk ends */
	uint64_t
		repeat; /* number of lines from the current line on that have the same count, and in which no segment starts */
	uint64_t count;
	bool mapped; /* the line is executable */
	size_t first; /* index of the first segment that starts in the line */
	size_t next; /* index of the first segment that starts after the line */
};

/*
 * lines_next - goes to the next lines. The walk starts at the line of the first segment, and ends at the line of the
 * last one. Returns false at the end.
 */
bool lines_next(struct line_walk *walk);

#endif
