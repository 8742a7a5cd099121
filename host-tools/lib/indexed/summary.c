/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * summary.c - computes the summary of a profile.
 */
#include "summary.h"

#include <stdlib.h>

static void count_function(struct summary *summary, struct cutoffs *cutoffs, const struct function *function)
{
	uint32_t i;

	summary->functions++;
	summary->blocks += function->counter_count;
	for (i = 0; i < function->counter_count; i++) {
		uint64_t count = function->counters[i];
		uint64_t *max = i ? &summary->max_internal_count : &summary->max_function_count;

		if (count > *max)
			*max = count;
		cutoffs_add(cutoffs, count);
	}
}

static void summarize(struct summary *summary, const struct model *model, bool all, bool context_sensitive)
{
	struct cutoffs *cutoffs = allocate(1, sizeof(*cutoffs));
	size_t i;

	*summary = (struct summary){0};
	for (i = 0; i < model->count; i++)
		if (all || !(model->functions[i].hash & HASH_CONTEXT_SENSITIVE) == !context_sensitive)
			count_function(summary, cutoffs, &model->functions[i]);
	summary->max_count = summary->max_function_count > summary->max_internal_count ? summary->max_function_count
	                                                                               : summary->max_internal_count;
	summary->total = cutoffs->total;
	cutoffs_find(cutoffs, summary->cutoff);
	cutoffs_free(cutoffs);
	free(cutoffs);
}

void summary_of(struct summary *summary, const struct model *model, bool context_sensitive)
{
	summarize(summary, model, false, context_sensitive);
}

void summary_of_all(struct summary *summary, const struct model *model)
{
	summarize(summary, model, true, false);
}
