/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cutoffs.c - computes cutoffs: sorts all counts, then adds them from the largest to the
 * smallest.
 */
#include "cutoffs.h"

#include <stdlib.h>

#define WHOLE 1000000u

static const uint32_t shares[SUMMARY_CUTOFFS] = {10000, 100000, 200000, 300000, 400000, 500000, 600000, 700000, 800000,
	900000, 950000, 990000, 999000, 999900, 999990, 999999};

static int descending(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return (a < b) - (a > b);
}

/*
 * Moves *@at to the next lower count. Stores that count in *@count, and the number of blocks that
 * have it in *@times. Returns false if there is no lower count.
 */
static bool next_lower_count(const struct cutoffs *cutoffs, size_t *at, uint64_t *count, uint64_t *times)
{
	size_t start = *at;

	if (start < cutoffs->count) {
		*count = cutoffs->large[start];
		while (*at < cutoffs->count && cutoffs->large[*at] == *count)
			++*at;
		*times = *at - start;
		return true;
	}
	/*
	 * After the large counts, each further position stands for one count below CUTOFFS_SMALL, from the highest to the
	 * lowest. So position cutoffs->count + n stands for the count CUTOFFS_SMALL - 1 - n.
	 */
	while (*at < cutoffs->count + CUTOFFS_SMALL) {
		*count = CUTOFFS_SMALL - 1 - (*at - cutoffs->count);
		++*at;
		*times = cutoffs->small[*count];
		if (*times)
			return true;
	}
	return false;
}

void cutoffs_find(struct cutoffs *cutoffs, struct cutoff *cutoff)
{
	uint64_t count = 0;
	uint64_t seen = 0;
	uint64_t sum = 0;
	uint64_t times;
	size_t at = 0;
	size_t i;

	if (cutoffs->count)
		qsort(cutoffs->large, cutoffs->count, sizeof(*cutoffs->large), descending);
	for (i = 0; i < SUMMARY_CUTOFFS; i++) {
		unsigned __int128 wanted = (unsigned __int128)cutoffs->total * shares[i] / WHOLE;

		while (sum < wanted && next_lower_count(cutoffs, &at, &count, &times)) {
			unsigned __int128 more = (unsigned __int128)count * times + sum;

			sum = more > UINT64_MAX ? UINT64_MAX : (uint64_t)more;
			seen += times;
		}
		cutoff[i].share = shares[i];
		cutoff[i].min_count = count;
		cutoff[i].blocks = seen;
	}
}

void cutoffs_free(struct cutoffs *cutoffs)
{
	free(cutoffs->large);
	*cutoffs = (struct cutoffs){0};
}
