/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * impossible.c - looks for counts of 2^63 and more. llvm-cov would show the lines with such counts as if they had run
 * very often.
 */
#include "covmap_counts.h"
#include "exit.h"
#include "report.h"

#include <stdlib.h>

/* The maximum number of functions that a message names. */
#define NAMED_MAX 3

/* The impossible counts in the profile of one pair. */
struct found {
	struct buffer names; /* names of the first few functions with impossible counts */
	size_t count; /* number of functions with impossible counts */
	bool negative;
	bool huge;
	bool zeros; /* llvm-cov would show at least one count that report shows as 0 */
};

static void add_found(struct found *found, const struct covmap *covmap, const struct covmap_regions *regions,
	enum covmap_counts worst)
{
	const struct name *name = names_find(&covmap->names, regions->name);

	found->negative = found->negative || worst == COUNTS_NEGATIVE;
	found->huge = found->huge || worst == COUNTS_HUGE;
	if (found->count++ < NAMED_MAX && name)
		buffer_printf(&found->names, "%s%.*s", found->names.size ? ", " : "", (int)name->text.size,
			(const char *)name->text.data);
}

/*
 * Computes the counts of the functions in @covmap from the counters of @model. Adds the functions with impossible
 * counts to @found.
 */
static void find_impossible(const struct covmap *covmap, struct model *model, struct found *found)
{
	struct covmap_regions regions;
	size_t at = 0;

	while (covmap_next_regions(covmap, &at, &regions)) {
		const struct function *function = report_find_function(covmap, model, &regions);
		enum covmap_counts worst = COUNTS_POSSIBLE;

		if (function)
			worst = covmap_judge(regions.bytes, function->counters, function->counter_count);
		if (worst > COUNTS_CONSTANT)
			add_found(found, covmap, &regions, worst);
		found->zeros |= worst != COUNTS_POSSIBLE;
	}
}

/*
 * Computes the counts of the functions in @covmap from the counters of @model. Changes @covmap so that impossible
 * counts become 0.
 */
static void zero_impossible(struct covmap *covmap, struct model *model)
{
	struct buffer functions = {0};
	struct covmap_regions regions;
	size_t at = 0;

	while (covmap_next_regions(covmap, &at, &regions)) {
		const struct function *function = report_find_function(covmap, model, &regions);
		struct buffer zeroed = {0};

		if (function)
			covmap_zero(regions.bytes, function->counters, function->counter_count, &zeroed);
		covmap_add(covmap, &regions, function ? (struct bytes){zeroed.data, zeroed.size} : regions.bytes,
			&functions);
		buffer_free(&zeroed);
	}
	covmap_change(covmap, &functions);
}

static void tell(const char *profile_path, struct found *found)
{
	struct buffer text = {0};

	buffer_printf(&text, "has impossible counts in %zu function%s: %s", found->count, found->count == 1 ? "" : "s",
		buffer_string(&found->names));
	if (found->count > NAMED_MAX)
		buffer_printf(&text, " and %zu more", found->count - NAMED_MAX);
	if (found->negative)
		buffer_add_text(&text, "; the counts are torn: the counters were copied while code counted, so some "
				       "differences of counters are below 0; dump a snapshot that was made with "
				       "interrupts masked (bareprof_snapshot_masked()) while the other CPUs are "
				       "stopped, and compile with -fprofile-update=atomic; report cannot find other "
				       "torn counts, if their differences are not below 0");
	if (found->huge)
		buffer_add_text(&text,
			"; some counters are 2^63 or more: they were overwritten, or not set to their start value "
			"before code counted; to set them, call bareprof_start(), or place the counters in .bss");
	complain(input_name(profile_path), "%s", buffer_string(&text));
	buffer_free(&text);
}

void report_impossible(struct report *report, size_t i, struct model *model)
{
	struct found found = {.count = 0};

	find_impossible(&report->covmaps[i], model, &found);
	report->impossible += found.count;
	report->needs_zeros |= found.zeros;
	if (found.count)
		tell(report->pairs[i].profile_path, &found);
	buffer_free(&found.names);
}

void report_zero(struct report *report, struct model *model)
{
	size_t i;

	for (i = 0; i < report->count; i++)
		zero_impossible(&report->covmaps[i], model);
}
