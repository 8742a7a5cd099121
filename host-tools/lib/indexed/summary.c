/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * summary.c - computes a summary: sorts all counts, then adds them from the largest to the
 * smallest.
 */
#include "summary.h"

#include <stdlib.h>
#include <string.h>

#define WHOLE 1000000u
/*
 * Only counts from this limit on are sorted. Most counts are below the limit. For each count below
 * the limit, a table has the number of counters with that count.
 */
#define SMALL 4096u

static const uint32_t shares[SUMMARY_CUTOFFS] = {10000, 100000, 200000, 300000, 400000, 500000, 600000, 700000, 800000,
	900000, 950000, 990000, 999000, 999900, 999990, 999999};

struct histogram {
	uint64_t small[SMALL]; /* for each count below SMALL, the number of counters that have it */
	uint64_t *large; /* all counts that are not below SMALL */
	size_t count;
	size_t room;
};

static int descending(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return (a < b) - (a > b);
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static void count_function(struct summary *summary, struct histogram *histogram, const struct function *function)
{
	uint32_t i;

	summary->functions++;
	summary->blocks += function->counter_count;
	for (i = 0; i < function->counter_count; i++) {
		uint64_t count = function->counters[i];
		uint64_t *max = i ? &summary->max_internal_count : &summary->max_function_count;

		summary->total = add_saturating(summary->total, count);
		if (count > *max)
			*max = count;
		if (count < SMALL) {
			histogram->small[count]++;
			continue;
		}
		histogram->large =
			array_grow(histogram->large, histogram->count, &histogram->room, sizeof(*histogram->large));
		histogram->large[histogram->count++] = count;
	}
}

/*
 * Moves *@at to the next lower count. Stores that count in *@count, and the number of counters that
 * have it in *@times. Returns false if there is no lower count.
 */
static bool next_lower_count(const struct histogram *histogram, size_t *at, uint64_t *count, uint64_t *times)
{
	size_t start = *at;

	if (start < histogram->count) {
		*count = histogram->large[start];
		while (*at < histogram->count && histogram->large[*at] == *count)
			++*at;
		*times = *at - start;
		return true;
	}
	/*
	 * After the large counts, each further position stands for one count below SMALL, from the highest to the
	 * lowest. So position histogram->count + n stands for the count SMALL - 1 - n.
	 */
	while (*at < histogram->count + SMALL) {
		*count = SMALL - 1 - (*at - histogram->count);
		++*at;
		*times = histogram->small[*count];
		if (*times)
			return true;
	}
	return false;
}

static void find_cutoffs(struct summary *summary, const struct histogram *histogram)
{
	uint64_t count = 0;
	uint64_t seen = 0;
	uint64_t sum = 0;
	uint64_t times;
	size_t at = 0;
	size_t i;

	for (i = 0; i < SUMMARY_CUTOFFS; i++) {
		unsigned __int128 wanted = (unsigned __int128)summary->total * shares[i] / WHOLE;

		while (sum < wanted && next_lower_count(histogram, &at, &count, &times)) {
			unsigned __int128 more = (unsigned __int128)count * times + sum;

			sum = more > UINT64_MAX ? UINT64_MAX : (uint64_t)more;
			seen += times;
		}
		summary->cutoff[i].share = shares[i];
		summary->cutoff[i].min_count = count;
		summary->cutoff[i].blocks = seen;
	}
}

static void summarize(struct summary *summary, const struct model *model, bool all, bool context_sensitive)
{
	struct histogram *histogram = allocate(1, sizeof(*histogram));
	size_t i;

	*summary = (struct summary){0};
	for (i = 0; i < model->count; i++)
		if (all || !(model->functions[i].hash & HASH_CONTEXT_SENSITIVE) == !context_sensitive)
			count_function(summary, histogram, &model->functions[i]);
	summary->max_count = summary->max_function_count > summary->max_internal_count ? summary->max_function_count
	                                                                               : summary->max_internal_count;
	if (histogram->count)
		qsort(histogram->large, histogram->count, sizeof(*histogram->large), descending);
	find_cutoffs(summary, histogram);
	free(histogram->large);
	free(histogram);
}

void summary_of(struct summary *summary, const struct model *model, bool context_sensitive)
{
	summarize(summary, model, false, context_sensitive);
}

void summary_of_all(struct summary *summary, const struct model *model)
{
	summarize(summary, model, true, false);
}
