/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * summary.c - sort all counts, then go down from the largest.
 */
#include "summary.h"

#include <stdlib.h>
#include <string.h>

#define WHOLE 1000000u
/* Counts below this are tallied in place; most are. */
#define SMALL 4096u

static const uint32_t shares[SUMMARY_CUTOFFS] = {10000, 100000, 200000, 300000, 400000, 500000, 600000, 700000, 800000,
	900000, 950000, 990000, 999000, 999900, 999990, 999999};

struct tally {
	uint64_t small[SMALL]; /* how many counters have each count */
	uint64_t *large; /* the other counts, one by one */
	size_t count;
	size_t room;
};

static int descending(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return (a < b) - (a > b);
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static void tally_function(struct summary *summary, struct tally *tally, const struct function *function)
{
	uint32_t i;

	summary->functions++;
	summary->blocks += function->counter_count;
	for (i = 0; i < function->counter_count; i++) {
		uint64_t count = function->counters[i];
		uint64_t *most = i ? &summary->most_internal : &summary->most_function;

		summary->total = add(summary->total, count);
		if (count > *most)
			*most = count;
		if (count < SMALL) {
			tally->small[count]++;
			continue;
		}
		tally->large = grow(tally->large, tally->count, &tally->room, sizeof(*tally->large));
		tally->large[tally->count++] = count;
	}
}

/* The next lower count from *@at on, and how often it is there; false at the end. */
static bool next(const struct tally *tally, size_t *at, uint64_t *count, uint64_t *times)
{
	size_t start = *at;

	if (start < tally->count) {
		*count = tally->large[start];
		while (*at < tally->count && tally->large[*at] == *count)
			++*at;
		*times = *at - start;
		return true;
	}
	/* Behind the large ones, position count + n stands for the small count SMALL - 1 - n. */
	while (*at < tally->count + SMALL) {
		*count = SMALL - 1 - (*at - tally->count);
		++*at;
		*times = tally->small[*count];
		if (*times)
			return true;
	}
	return false;
}

static void cut(struct summary *summary, const struct tally *tally)
{
	uint64_t count = 0;
	uint64_t seen = 0;
	uint64_t sum = 0;
	uint64_t times;
	size_t at = 0;
	size_t i;

	for (i = 0; i < SUMMARY_CUTOFFS; i++) {
		unsigned __int128 wanted = (unsigned __int128)summary->total * shares[i] / WHOLE;

		while (sum < wanted && next(tally, &at, &count, &times)) {
			unsigned __int128 more = (unsigned __int128)count * times + sum;

			sum = more > UINT64_MAX ? UINT64_MAX : (uint64_t)more;
			seen += times;
		}
		summary->cutoff[i].share = shares[i];
		summary->cutoff[i].least_count = count;
		summary->cutoff[i].blocks = seen;
	}
}

static void make(struct summary *summary, const struct model *model, bool all, bool context_sensitive)
{
	struct tally *tally = allocate(1, sizeof(*tally));
	size_t i;

	*summary = (struct summary){0};
	for (i = 0; i < model->count; i++)
		if (all || !(model->functions[i].hash & HASH_CONTEXT_SENSITIVE) == !context_sensitive)
			tally_function(summary, tally, &model->functions[i]);
	summary->most_block =
		summary->most_function > summary->most_internal ? summary->most_function : summary->most_internal;
	if (tally->count)
		qsort(tally->large, tally->count, sizeof(*tally->large), descending);
	cut(summary, tally);
	free(tally->large);
	free(tally);
}

void summary_of(struct summary *summary, const struct model *model, bool context_sensitive)
{
	make(summary, model, false, context_sensitive);
}

void summary_of_all(struct summary *summary, const struct model *model)
{
	make(summary, model, true, false);
}
