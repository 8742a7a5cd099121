/* SPDX-License-Identifier: BSD-2-Clause */
/* line_ranges.c - each function goes through the ranges once. */
#include "line_ranges.h"

#include <stdlib.h>

void ranges_append(struct line_ranges *ranges, uint32_t first, uint32_t last)
{
	struct line_range *end = ranges->count ? &ranges->list[ranges->count - 1] : NULL;

	if (end && (uint64_t)first <= (uint64_t)end->last + 1) {
		end->last = last > end->last ? last : end->last;
		return;
	}
	ranges->list = array_grow(ranges->list, ranges->count, &ranges->room, sizeof(*ranges->list));
	ranges->list[ranges->count++] = (struct line_range){first, last};
}

void ranges_subtract(const struct line_ranges *from, const struct line_ranges *what, struct line_ranges *out)
{
	size_t at = 0;
	size_t i;

	for (i = 0; i < from->count; i++) {
		uint64_t first = from->list[i].first;
		uint64_t last = from->list[i].last;

		while (at < what->count && what->list[at].last < first)
			at++;
		/* A range of @what can reach into the next range of @from, so the last one that was used is used again. */
		while (first <= last && at < what->count && what->list[at].first <= last) {
			if (what->list[at].first > first)
				ranges_append(out, (uint32_t)first, what->list[at].first - 1);
			first = (uint64_t)what->list[at].last + 1;
			if (first <= last)
				at++;
		}
		if (first <= last)
			ranges_append(out, (uint32_t)first, (uint32_t)last);
	}
}

void ranges_join(struct line_ranges *ranges, const struct line_ranges *more)
{
	struct line_ranges all = {NULL, 0, 0};
	size_t a = 0;
	size_t b = 0;

	while (a < ranges->count || b < more->count) {
		bool take = b >= more->count || (a < ranges->count && ranges->list[a].first <= more->list[b].first);
		const struct line_range *next = take ? &ranges->list[a++] : &more->list[b++];

		ranges_append(&all, next->first, next->last);
	}
	ranges_free(ranges);
	*ranges = all;
}

uint64_t ranges_lines(const struct line_ranges *ranges)
{
	uint64_t lines = 0;
	size_t i;

	for (i = 0; i < ranges->count; i++)
		lines += (uint64_t)ranges->list[i].last - ranges->list[i].first + 1;
	return lines;
}

void ranges_free(struct line_ranges *ranges)
{
	free(ranges->list);
	*ranges = (struct line_ranges){NULL, 0, 0};
}
