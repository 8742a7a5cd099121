/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * line_ranges.h - sets of lines of a file. A set is a list of ranges, so its size depends on the code, and not on the
 * line numbers in a mapping.
 */
#ifndef BAREPROF_HOST_LINE_RANGES_H
#define BAREPROF_HOST_LINE_RANGES_H

#include "bytes.h"

/* The lines from @first to @last, both included. */
struct line_range {
	uint32_t first;
	uint32_t last;
};

/* Ranges in ascending order, with at least one line between two of them. Starts as all zeros; ends with ranges_free(). */
struct line_ranges {
	struct line_range *list;
	size_t count;
	size_t room;
};

/* ranges_append - adds lines that are not before any line of @ranges. */
void ranges_append(struct line_ranges *ranges, uint32_t first, uint32_t last);

/*
 * ranges_subtract - appends the lines of @from that @what does not have to @out, which is empty.
 * ranges_join - adds the lines of @more to @ranges.
 * ranges_lines - returns the number of lines.
 */
void ranges_subtract(const struct line_ranges *from, const struct line_ranges *what, struct line_ranges *out);
void ranges_join(struct line_ranges *ranges, const struct line_ranges *more);
uint64_t ranges_lines(const struct line_ranges *ranges);

void ranges_free(struct line_ranges *ranges);

#endif
