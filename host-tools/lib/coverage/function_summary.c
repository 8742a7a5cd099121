/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * function_summary.c - computes the summaries of functions, and adds them up for files. The regions of a function count
 * wherever they are. Its lines count in its main file only, and its branches in its main file and in the expansions there.
 */
#include "coverage.h"
#include "expansion_walk.h"

static void count_one(struct rate *rate, bool covered)
{
	rate->total++;
	rate->covered += covered;
}

/* Counts the lines of the segments in coverage->segments. */
static void count_lines(struct coverage *coverage, struct rate *lines)
{
	struct line_walk walk = {.segments = &coverage->segments, .rules = &coverage->rules};

	segments_build(&coverage->segments);
	while (lines_next(&walk)) {
		if (!walk.mapped)
			continue;
		lines->total += walk.repeat;
		lines->covered += walk.count ? walk.repeat : 0;
	}
}

static void count_branch(const struct coverage_rules *rules, const struct region *region, struct rate *branches)
{
	bool both = region->folded[0] && region->folded[1];

	if (rules->folds_each_side ? !region->folded[0] : !both)
		count_one(branches, region->count > 0);
	if (rules->folds_each_side ? !region->folded[1] : !both)
		count_one(branches, region->false_count > 0);
}

/* Counts the branches in the file @file. */
static void count_branches(
	const struct coverage *coverage, const struct function_regions *regions, uint32_t file, struct rate *branches)
{
	const struct region *region = regions->list + regions->files[file].first;
	const struct region *end = region + regions->files[file].count;

	for (; region < end; region++)
		if (region_is_condition(region))
			count_branch(&coverage->rules, region, branches);
}

struct counting {
	struct coverage *coverage;
	struct rate *branches;
};

static void count_expansion(struct expansion_walk *walk, uint32_t file, const uint32_t *path, size_t depth)
{
	struct counting *counting = walk->context;

	(void)path;
	(void)depth;
	count_branches(counting->coverage, walk->regions, file, counting->branches);
}

/* What count_decision() needs: decisions count if they are in the main file. */
struct deciding {
	struct rate *conditions;
	uint32_t main;
	size_t unknown; /* decisions that could not be evaluated */
};

static void count_decision(void *context, const struct region *decision, const struct mcdc_result *result)
{
	struct deciding *deciding = context;

	if (decision->file != deciding->main)
		return;
	deciding->conditions->total += result->total;
	deciding->conditions->covered += result->covered;
	deciding->unknown += result->unknown;
}

static void count_conditions(struct coverage *coverage, const struct coverage_function *function,
	const struct function_regions *regions, struct deciding *deciding)
{
	struct mcdc_request request = {
		.rules = &coverage->rules, .found = count_decision, .context = deciding, .work = coverage->mcdc_work};

	if (!coverage->rules.has_mcdc || !regions->has_decisions)
		return;
	if (function->profile)
		request.bitmap = (struct bytes){function->profile->bitmap, function->profile->bitmap_size};
	mcdc_decisions(&request, regions);
	coverage->mcdc_work = request.work;
	coverage->unknown_decisions += deciding->unknown;
}

/* Counts the branches in the file @main, and in the expansions there. */
static void count_all_branches(
	struct coverage *coverage, const struct function_regions *regions, uint32_t main, struct rate *branches)
{
	struct counting counting = {coverage, branches};

	count_branches(coverage, regions, main, branches);
	if (!regions->has_expansions)
		return;
	coverage->walk.regions = regions;
	coverage->walk.visit = count_expansion;
	coverage->walk.context = &counting;
	expansions_in_file(&coverage->walk, main);
}

void function_summary(
	struct coverage *coverage, struct coverage_function *function, const struct function_regions *regions)
{
	struct rate *rate = function->summary.rate;
	uint32_t main = (uint32_t)regions_main_file(regions);
	struct deciding deciding = {&rate[RATE_CONDITIONS], main, 0};
	size_t i;

	function->summary = (struct coverage_summary){0};
	segments_start(&coverage->segments, &coverage->rules, coverage->byte_counters);
	for (i = 0; i < regions->count; i++) {
		const struct region *region = &regions->list[i];

		if (region->kind == REGION_CODE)
			count_one(&rate[RATE_REGIONS], region->count > 0);
		else if (region_is_condition(region) && regions->connected)
			count_branch(&coverage->rules, region, &rate[RATE_BRANCHES]);
	}
	if (main == regions->file_count)
		return;
	areas_add(&coverage->segments.areas, regions->list + regions->files[main].first, regions->files[main].count);
	count_lines(coverage, &rate[RATE_LINES]);
	if (regions->has_conditions && !regions->connected)
		count_all_branches(coverage, regions, main, &rate[RATE_BRANCHES]);
	count_conditions(coverage, function, regions, &deciding);
}

void summary_add(struct coverage_summary *to, const struct coverage_summary *from)
{
	unsigned int i;

	for (i = 0; i < RATES; i++) {
		to->rate[i].covered += from->rate[i].covered;
		to->rate[i].total += from->rate[i].total;
	}
}

/* Raises each number of @to to that of @from. */
static void raise_to(struct coverage_summary *to, const struct coverage_summary *from)
{
	unsigned int i;

	for (i = 0; i < RATES; i++) {
		if (from->rate[i].covered > to->rate[i].covered)
			to->rate[i].covered = from->rate[i].covered;
		if (from->rate[i].total > to->rate[i].total)
			to->rate[i].total = from->rate[i].total;
	}
}

/* Returns the index in coverage->by_main_file of the first function whose main file is at least @file. */
static size_t first_in_file(const struct coverage *coverage, uint32_t file)
{
	size_t low = 0;
	size_t high = coverage->by_main_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (coverage->functions[coverage->by_main_file[middle]].main_file < file)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns whether two functions are instantiations of the same source. */
static bool is_same_source(const struct coverage_function *a, const struct coverage_function *b)
{
	return a->main_file == b->main_file && a->line == b->line && a->column == b->column;
}

void coverage_file_summary(const struct coverage *coverage, uint32_t file, function_filter filter, const void *context,
	struct coverage_summary *summary)
{
	size_t i = first_in_file(coverage, file);

	*summary = (struct coverage_summary){0};
	while (i < coverage->by_main_count && coverage->functions[coverage->by_main_file[i]].main_file == file) {
		const struct coverage_function *first = &coverage->functions[coverage->by_main_file[i]];
		struct coverage_summary group = {0};
		uint64_t executions = 0;
		bool any = false;

		for (; i < coverage->by_main_count; i++) {
			const struct coverage_function *function = &coverage->functions[coverage->by_main_file[i]];

			if (!is_same_source(first, function))
				break;
			executions += function->executions;
			if (filter && !filter(context, function))
				continue;
			raise_to(&group, &function->summary);
			count_one(&summary->rate[RATE_INSTANTIATIONS], function->executions > 0);
			any = true;
		}
		if (!any)
			continue;
		summary_add(summary, &group);
		count_one(&summary->rate[RATE_FUNCTIONS], executions > 0);
	}
}
