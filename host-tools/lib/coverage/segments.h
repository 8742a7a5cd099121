/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * segments.h - which count each piece of a source file has. Regions contain each other, so a file is cut into segments:
 * each starts at a location and ends where the next one starts. The count of a line follows from its segments.
 */
#ifndef BAREPROF_HOST_SEGMENTS_H
#define BAREPROF_HOST_SEGMENTS_H

#include "coverage_rules.h"
#include "overlaps.h"
#include "segment.h"

/* The segments of a file. Starts as all zeros, can be used again, and ends with segments_free(). */
struct segments {
	struct segment *list; /* by location */
	size_t count;
	struct areas areas; /* filled by the caller */
	/* The following members belong to segments.c. */
	size_t room;
	const struct area **active; /* each area contains the next one */
	size_t active_room;
	struct overlaps overlaps;
};

/*
 * segments_start - forgets all areas. @byte_counters tells whether the program has byte counters.
 * segments_build - makes the list from all areas.
 */
void segments_start(struct segments *segments, const struct coverage_rules *rules, bool byte_counters);
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
