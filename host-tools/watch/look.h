/* SPDX-License-Identifier: BSD-2-Clause */
/* look.h - what one look at a running program has found. */
#ifndef BAREPROF_HOST_LOOK_H
#define BAREPROF_HOST_LOOK_H

#include "coverage.h"
#include "line_ranges.h"

/* A function that ran for the first time. */
struct look_function {
	struct bytes name; /* mangled, of its first instantiation that ran; it belongs to the mapping */
	uint32_t file; /* index of its main file in the file names */
	uint32_t line;
	uint64_t count;
};

/* The lines of a file that ran for the first time. */
struct look_lines {
	uint32_t file;
	struct line_ranges ranges;
};

/* Starts as all zeros and ends with look_free(). */
struct look {
	bool base; /* the first look: what ran before it is not new */
	bool reset; /* the counters were reset after the look before, so all that ran since then is new */
	struct rate functions; /* as in the table of `report` */
	struct rate lines;
	struct look_function *function_list; /* by file and line */
	size_t function_count;
	size_t function_room;
	struct look_lines *line_list; /* by the name of the file */
	size_t line_list_count;
	size_t line_list_room;
	uint64_t line_count; /* number of lines in @line_list */
	size_t impossible; /* functions with impossible counts, which are 0 here */
};

/* look_has_news - returns whether there is something to show. */
static inline bool look_has_news(const struct look *look)
{
	return look->base || look->reset || look->function_count || look->line_list_count;
}

void look_free(struct look *look);

#endif
