/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ranges.c - compares sets of lines, which are lists of ranges, with the same sets as arrays of bits, and tests lines at the
 * end of the numbers.
 */
#include "line_ranges.h"

#include <stdio.h>
#include <stdlib.h>

#define LINES  64u
#define ROUNDS 20000u

static uint64_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % limit;
}

/* Returns the lines of @ranges as bits, or 0 if two ranges should be one. The first line is 1. */
static uint64_t bits_of(const struct line_ranges *ranges)
{
	uint64_t bits = 0;
	size_t i;
	uint32_t line;

	for (i = 0; i < ranges->count; i++) {
		if (ranges->list[i].first > ranges->list[i].last ||
			(i && ranges->list[i].first <= ranges->list[i - 1].last + 1))
			return 0;
		for (line = ranges->list[i].first; line <= ranges->list[i].last; line++)
			bits |= (uint64_t)1 << (line - 1);
	}
	return bits;
}

/* Fills @ranges with some lines. */
static void make(struct line_ranges *ranges)
{
	uint32_t line = random_below(8) + 1;

	*ranges = (struct line_ranges){NULL, 0, 0};
	while (line <= LINES) {
		uint32_t last = line + random_below(6);

		ranges_append(ranges, line, last > LINES ? LINES : last);
		line = last + random_below(9);
	}
}

static int round_passes(void)
{
	struct line_ranges a;
	struct line_ranges b;
	struct line_ranges rest = {NULL, 0, 0};
	uint64_t all;
	int passes;

	make(&a);
	make(&b);
	all = bits_of(&a) | bits_of(&b);
	ranges_subtract(&a, &b, &rest);
	passes = bits_of(&rest) == (bits_of(&a) & ~bits_of(&b)) &&
	         ranges_lines(&rest) == (uint64_t)__builtin_popcountll(bits_of(&rest));
	ranges_join(&a, &b);
	passes = passes && bits_of(&a) == all;
	ranges_free(&a);
	ranges_free(&b);
	ranges_free(&rest);
	return passes;
}

static int ends_pass(void)
{
	struct line_ranges a = {NULL, 0, 0};
	struct line_ranges b = {NULL, 0, 0};
	struct line_ranges rest = {NULL, 0, 0};
	int passes;

	ranges_append(&a, 1, UINT32_MAX);
	ranges_append(&b, 5, 5);
	ranges_append(&b, UINT32_MAX, UINT32_MAX);
	ranges_subtract(&a, &b, &rest);
	passes = rest.count == 2 && rest.list[0].last == 4 && rest.list[1].first == 6 &&
	         rest.list[1].last == UINT32_MAX - 1;
	ranges_join(&rest, &b);
	passes = passes && rest.count == 1 && ranges_lines(&rest) == UINT32_MAX;
	ranges_free(&a);
	ranges_free(&b);
	ranges_free(&rest);
	return passes;
}

int main(void)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++)
		if (!round_passes())
			break;
	printf("%s - sets of lines: %u random pairs\n", round == ROUNDS ? "ok" : "not ok", round);
	printf("%s - sets of lines: the highest line\n", ends_pass() ? "ok" : "not ok");
	return 0;
}
