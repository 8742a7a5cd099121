/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_select.c - selects and sorts the functions that a comparison lists. */
#include "compare.h"
#include "pattern.h"

#include <stdlib.h>

static const struct side_function *either(const struct pair *pair)
{
	return pair->a ? pair->a : pair->b;
}

static uint64_t counts_of(const struct side_function *function)
{
	return function ? function->sum : 0;
}

static int compare_names(struct bytes a, struct bytes b)
{
	int order = memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);

	return order ? order : compare_uint(a.size, b.size);
}

/* Sorts by the counts of A, then by the counts of B, the highest first, then by name and by hash. */
static int compare_pairs(const void *left, const void *right)
{
	const struct pair *a = *(const struct pair *const *)left;
	const struct pair *b = *(const struct pair *const *)right;

	if (counts_of(a->a) != counts_of(b->a))
		return compare_uint(counts_of(b->a), counts_of(a->a));
	if (counts_of(a->b) != counts_of(b->b))
		return compare_uint(counts_of(b->b), counts_of(a->b));
	if (either(a)->reference != either(b)->reference)
		return compare_names(either(a)->name, either(b)->name);
	return compare_uint(either(a)->hash, either(b)->hash);
}

static bool is_lost(const struct pair *pair)
{
	return (pair->fit == FIT_CHANGED || pair->fit == FIT_GONE) && counts_of(pair->a);
}

/* @matches tells whether the name of the function matches the user's pattern. */
static bool is_wanted(const struct compare_choices *choices, const struct pair *pair, bool matches)
{
	if (choices->all)
		return true;
	if (choices->min_count != UINT64_MAX && pair->b && pair->b->highest >= choices->min_count)
		return true;
	if (choices->regex)
		return matches;
	return choices->min_count == UINT64_MAX && is_lost(pair);
}

enum status compare_select(struct comparison *comparison, struct error *error)
{
	const struct compare_choices *choices = &comparison->choices;
	struct buffer scratch = {0};
	bool found = !choices->regex;
	size_t i;

	comparison->listed = allocate(comparison->pair_count + 1, sizeof(*comparison->listed));
	for (i = 0; i < comparison->pair_count; i++) {
		const struct pair *pair = &comparison->pairs[i];
		bool matches = choices->regex && function_matches(choices->regex, either(pair)->name, &scratch);

		found = found || matches;
		if (is_wanted(choices, pair, matches))
			comparison->listed[comparison->listed_count++] = pair;
	}
	buffer_free(&scratch);
	if (!found)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no function whose name matches --function, and neither has %s; --all lists all functions",
			input_name(comparison->b.path));
	if (comparison->listed_count)
		qsort(comparison->listed, comparison->listed_count, sizeof(*comparison->listed), compare_pairs);
	return STATUS_OK;
}
