/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * overlap.c - computes how much the counts of two profiles overlap, with the numbers of `llvm-profdata overlap A B`. The
 * overlap of two lists of counts is the sum of the smaller shares: the share that a count has in the sum of its list.
 * A function that never ran in B belongs to both profiles if A has a function of this name, whatever its hash.
 */
#include "compare.h"

#include <stdlib.h>

static double share(double count, double sum)
{
	return sum >= 1 ? count / sum : 0;
}

/* Returns what a count of A and a count of B add to the overlap of lists with the sums @sum_a and @sum_b. */
static double score(uint64_t a, uint64_t b, double sum_a, double sum_b)
{
	double left;
	double right;

	if (sum_a < 1 || sum_b < 1)
		return 0;
	left = (double)a / sum_a;
	right = (double)b / sum_b;
	return left < right ? left : right;
}

static double sum_of_values(const struct side_function *function, unsigned int kind)
{
	const struct sites *sites = function->counted->sites;
	uint64_t sum = 0;
	uint32_t i;
	size_t j;

	for (i = 0; sites && i < sites->count[kind]; i++)
		for (j = 0; j < sites->site[kind][i].count; j++)
			sum = add_saturating(sum, sites->site[kind][i].values[j].count);
	return (double)sum;
}

static void add_sums(struct overlap *overlap, const struct comparison *comparison)
{
	unsigned int kind;
	size_t i;

	for (i = 0; i < comparison->a.count; i++) {
		overlap->edges.sum_a += (double)comparison->a.functions[i].sum;
		for (kind = 0; kind < PROFILE_KINDS; kind++)
			overlap->values[kind].sum_a += sum_of_values(&comparison->a.functions[i], kind);
	}
	for (i = 0; i < comparison->b.count; i++) {
		overlap->edges.sum_b += (double)comparison->b.functions[i].sum;
		for (kind = 0; kind < PROFILE_KINDS; kind++)
			overlap->values[kind].sum_b += sum_of_values(&comparison->b.functions[i], kind);
	}
}

static int compare_values(const void *left, const void *right)
{
	const struct value *a = left;
	const struct value *b = right;

	return a->value != b->value ? compare_uint(a->value, b->value) : compare_uint(b->count, a->count);
}

/* Returns a copy of the values of @site, in ascending order. */
static struct value *sorted_values(const struct site *site)
{
	struct value *values = allocate(site->count + 1, sizeof(*values));

	if (site->count) {
		memcpy(values, site->values, site->count * sizeof(*values));
		qsort(values, site->count, sizeof(*values), compare_values);
	}
	return values;
}

static void add_site(struct overlap_counts *counts, const struct site *a, const struct site *b)
{
	struct value *left = sorted_values(a);
	struct value *right = sorted_values(b);
	size_t i = 0;
	size_t j = 0;

	while (i < a->count && j < b->count) {
		uint64_t value = left[i].value;

		if (value == right[j].value)
			counts->both += score(left[i].count, right[j].count, counts->sum_a, counts->sum_b);
		i += value <= right[j].value;
		j += value >= right[j].value;
	}
	free(left);
	free(right);
}

static void add_values(struct overlap *overlap, const struct sites *a, const struct sites *b)
{
	unsigned int kind;
	uint32_t i;

	for (kind = 0; kind < PROFILE_KINDS; kind++)
		for (i = 0; i < a->count[kind]; i++)
			add_site(&overlap->values[kind], &a->site[kind][i], &b->site[kind][i]);
}

static double overlap_of(const struct pair *pair, double sum_a, double sum_b)
{
	double sum = 0;
	uint32_t i;

	for (i = 0; i < pair->a->counter_count; i++)
		sum += score(pair->a->counted->counters[i], pair->b->counted->counters[i], sum_a, sum_b);
	return sum;
}

static void add_mismatched(struct overlap *overlap, const struct side_function *b)
{
	unsigned int kind;

	overlap->mismatched++;
	overlap->edges.mismatched += share((double)b->sum, overlap->edges.sum_b);
	for (kind = 0; kind < PROFILE_KINDS; kind++)
		overlap->values[kind].mismatched += share(sum_of_values(b, kind), overlap->values[kind].sum_b);
}

static void add_only_b(struct overlap *overlap, const struct side_function *b)
{
	unsigned int kind;

	overlap->only_b++;
	overlap->edges.only_b += share((double)b->sum, overlap->edges.sum_b);
	for (kind = 0; kind < PROFILE_KINDS; kind++)
		overlap->values[kind].only_b += share(sum_of_values(b, kind), overlap->values[kind].sum_b);
}

static const struct sites *sites_or_none(const struct side_function *function)
{
	static const struct sites none;

	return function->counted->sites ? function->counted->sites : &none;
}

static void add_pair(struct overlap *overlap, struct pair *pair)
{
	if (!pair->b)
		return;
	if (pair->fit == FIT_NEW) {
		add_only_b(overlap, pair->b);
		return;
	}
	if (!pair->b->sum) {
		overlap->both++;
		return;
	}
	if (pair->fit != FIT_SAME || !pair->a || !sites_same(sites_or_none(pair->a), sites_or_none(pair->b))) {
		add_mismatched(overlap, pair->b);
		return;
	}
	overlap->both++;
	overlap->edges.both += overlap_of(pair, overlap->edges.sum_a, overlap->edges.sum_b);
	add_values(overlap, sites_or_none(pair->a), sites_or_none(pair->b));
	pair->overlap = overlap_of(pair, (double)pair->a->sum, (double)pair->b->sum);
}

void compare_overlap(struct comparison *comparison)
{
	struct overlap *overlap = &comparison->overlap;
	size_t i;

	if (comparison->b.is_program || !comparison->a.sum || !comparison->b.sum)
		return;
	overlap->computed = true;
	add_sums(overlap, comparison);
	for (i = 0; i < comparison->pair_count; i++)
		add_pair(overlap, &comparison->pairs[i]);
}
