/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * line_walk.c - the counts of lines. The count of a line is the highest count of the regions that start in it and of the
 * segment that contains its start. Gaps have white space only, so a gap that starts in a line does not matter.
 */
#include "segments.h"

static bool starts_code(const struct segment *segment)
{
	return !segment->is_gap && segment->has_count && segment->is_entry;
}

/* Sets the count of the current line. @before is the segment that contains its start, or NULL. */
static void count_line(struct line_walk *walk, const struct segment *before)
{
	const struct segment *list = walk->segments->list;
	const struct segment *first = walk->first < walk->next ? &list[walk->first] : NULL;
	bool skipped = first && !first->has_count && first->is_entry;
	bool starts = false;
	bool entered = false;
	size_t i;

	walk->count = before ? before->count : 0;
	for (i = walk->first; i < walk->next; i++) {
		entered |= list[i].is_entry && list[i].has_count;
		if (!starts_code(&list[i]))
			continue;
		starts = true;
		if (list[i].count > walk->count)
			walk->count = list[i].count;
	}
	walk->mapped = !skipped && (starts || (before && before->has_count));
	walk->mapped |= walk->rules->entry_is_mapped && entered;
	if (!walk->mapped)
		walk->count = 0;
}

bool lines_next(struct line_walk *walk)
{
	const struct segments *segments = walk->segments;

	if (walk->next >= segments->count)
		return false;
	/* The lines between two segments have the count of the first one. */
	if (walk->next && walk->line + walk->repeat < segments->list[walk->next].line) {
		walk->line += walk->repeat;
		walk->first = walk->next;
		walk->repeat = segments->list[walk->next].line - walk->line;
	} else {
		walk->line = segments->list[walk->next].line;
		walk->first = walk->next;
		while (walk->next < segments->count && segments->list[walk->next].line == walk->line)
			walk->next++;
		walk->repeat = 1;
	}
	count_line(walk, walk->first ? &segments->list[walk->first - 1] : NULL);
	return true;
}
