/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * impossible.c - looks for counts of 2^63 and more. Lines with such counts would look as if they had run very often.
 */
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
};

static void add_found(struct found *found, struct bytes name, enum counts_verdict worst)
{
	if (worst <= COUNTS_CONSTANT)
		return;
	found->negative |= worst == COUNTS_NEGATIVE;
	found->huge |= worst == COUNTS_HUGE;
	if (found->count++ < NAMED_MAX)
		buffer_printf(&found->names, "%s%.*s", found->names.size ? ", " : "", (int)name.size,
			(const char *)name.data);
}

/* Finds the functions with impossible counts in the only profile of the report, whose counts are those of the report. */
static void find_in_report(const struct coverage *coverage, struct found *found)
{
	size_t i;

	for (i = 0; i < coverage->count; i++)
		add_found(found, coverage->functions[i].name, coverage->functions[i].verdict);
}

/* Finds the functions with impossible counts in one of several profiles. */
static void find_in_pair(struct report_pair *pair, struct found *found)
{
	const struct mapping *mapping = pair->mapping;
	struct function_regions regions = {0};
	size_t i;

	for (i = 0; i < mapping->record_count; i++) {
		const struct mapping_record *record = &mapping->records[i];
		const struct mapping_list *list = &mapping->lists[record->list];
		const struct function *function = model_find(&pair->model, record->name, record->hash);

		if (function &&
			!regions_read(&regions, record->regions, mapping->list_files + list->first, list->count) &&
			regions_count(&regions, function->counters, function->counter_count))
			add_found(found, function->name,
				regions_judge(&regions, function->counters, function->counter_count));
	}
	function_regions_free(&regions);
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

void report_impossible(struct report *report, size_t i)
{
	struct found found = {.count = 0};

	if (report->count == 1)
		find_in_report(&report->coverage, &found);
	else
		find_in_pair(&report->pairs[i], &found);
	report->impossible += found.count;
	if (found.count)
		tell(report->pairs[i].profile_path, &found);
	buffer_free(&found.names);
}
