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

/* Goes to the lines before the next segment. They have the count of @before, the segment before it. */
static void take_lines_between(struct line_walk *walk, const struct segment *before)
{
	walk->line += walk->repeat;
	walk->repeat = walk->segments->list[walk->next].line - walk->line;
	walk->first = walk->next;
	walk->mapped = before->has_count;
	walk->count = before->has_count ? before->count : 0;
}

/* Goes to the line in which the next segment starts. @before is the segment that contains the start of the line, or NULL. */
static void take_line(struct line_walk *walk, const struct segment *before)
{
	const struct segment *segment = &walk->segments->list[walk->next];
	const struct segment *end = walk->segments->list + walk->segments->count;
	bool skipped = !segment->has_count && segment->is_entry;
	uint64_t count = before ? before->count : 0;
	bool mapped = before && before->has_count;
	bool entered = false;

	walk->line = segment->line;
	walk->repeat = 1;
	walk->first = walk->next;
	for (; segment < end && segment->line == walk->line; segment++) {
		entered |= segment->is_entry && segment->has_count;
		if (!starts_code(segment))
			continue;
		mapped = true;
		if (segment->count > count)
			count = segment->count;
	}
	walk->next = (size_t)(segment - walk->segments->list);
	walk->mapped = (mapped && !skipped) || (walk->rules->entry_is_mapped && entered);
	walk->count = walk->mapped ? count : 0;
}

bool lines_next(struct line_walk *walk)
{
	const struct segment *before = walk->next ? &walk->segments->list[walk->next - 1] : NULL;

	if (walk->next >= walk->segments->count)
		return false;
	if (before && walk->line + walk->repeat < walk->segments->list[walk->next].line)
		take_lines_between(walk, before);
	else
		take_line(walk, before);
	return true;
}
