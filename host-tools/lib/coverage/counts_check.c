/* SPDX-License-Identifier: BSD-2-Clause */
/* counts_check.c - finds functions with impossible counts, and describes them. */
#include "counts_check.h"

#include <inttypes.h>

void counts_check_add(struct counts_check *check, struct bytes name, enum counts_verdict worst)
{
	if (worst == COUNTS_DEAD_SWITCH)
		first_names_add(&check->dead, name);
	if (worst <= COUNTS_DEAD_SWITCH)
		return;
	check->negative |= worst == COUNTS_NEGATIVE;
	check->huge |= worst == COUNTS_HUGE;
	check->above |= worst == COUNTS_ABOVE;
	first_names_add(&check->impossible, name);
}

void counts_check_program(struct counts_check *check, const struct mapping *mapping, struct model *model)
{
	struct function_regions regions = {0};
	size_t i;

	for (i = 0; i < mapping->record_count; i++) {
		const struct mapping_record *record = &mapping->records[i];
		const struct mapping_list *list = &mapping->lists[record->list];
		const struct function *function = model_find(model, record->name, record->hash);

		if (function &&
			!regions_read(&regions, record->regions, mapping->list_files + list->first, list->count) &&
			regions_count(&regions, function->counters, function->counter_count))
			counts_check_add(check, function->name,
				regions_judge(&regions, function->counters, function->counter_count));
	}
	function_regions_free(&regions);
}

/* Appends text such as "5 functions: a, b, c and 2 more". */
static void add_functions(struct buffer *text, struct first_names *list)
{
	buffer_printf(text, "%" PRIu64 " function%s: ", list->count, list->count == 1 ? "" : "s");
	first_names_text(list, text);
}

void counts_check_dead_text(struct counts_check *check, struct buffer *text)
{
	buffer_add_text(text, "has wrong counts in ");
	add_functions(text, &check->dead);
	buffer_add_text(text,
		"; clang counts there from a switch that can never run, such as one inside of sizeof() (VM_WARN_ON() "
		"of Linux has it), so code after this switch can have too low counts; those below 0 are shown as 0");
}

void counts_check_text(struct counts_check *check, struct buffer *text)
{
	buffer_add_text(text, "has impossible counts in ");
	add_functions(text, &check->impossible);
	if (check->negative || check->above)
		buffer_printf(text,
			"; the counts are torn: the counters were copied while code counted, so some %s; dump a "
			"snapshot that was made with interrupts masked (bareprof_snapshot_masked()) while the other "
			"CPUs are stopped, and compile with -fprofile-update=atomic; bareprof cannot find other torn "
			"counts",
			!check->above ? "differences of counters are below 0"
			: !check->negative
				? "code after a switch or in its cases ran more often than the switch"
				: "differences of counters are below 0, and some code after a switch or in its "
				  "cases ran more often than the switch");
	if (check->huge)
		buffer_add_text(text,
			"; some counters are 2^63 or more: they were overwritten, or not set to their start value "
			"before code counted; to set them, call bareprof_start(), or place the counters in .bss");
}

void counts_check_free(struct counts_check *check)
{
	first_names_free(&check->impossible);
	first_names_free(&check->dead);
	*check = (struct counts_check){0};
}
