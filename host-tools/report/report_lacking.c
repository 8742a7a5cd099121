/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_lacking.c - finds the functions with a mapping that a profile does not have. If the program has no record of such
 * a function, no run can count it: no code uses it, or the linker removed it. If the program has a record, the profile
 * is incomplete, and the report shows a function as not run that may have run.
 */
#include "exit.h"
#include "mapping_functions.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>

/* The maximum number of functions that a message names. */
#define NAMED_MAX 3

struct own_records *report_records(struct report *report, struct report_pair *pair)
{
	struct report_pair *first = report->pairs;

	/* Pairs with the same program share its records. */
	while (first->mapping != pair->mapping)
		first++;
	own_records_read(&first->own_records, first->elf_path);
	return &first->own_records;
}

/* A function with a mapping and without counts. */
struct candidate {
	uint64_t name; /* its name hash in the model */
	const struct mapping_record *record;
	bool has_other; /* the profile has the function with another structural hash */
};

/* Compares two candidates by their places in the mapping. */
static int compare_records(const void *left, const void *right)
{
	const struct candidate *a = left;
	const struct candidate *b = right;

	return a->record < b->record ? -1 : a->record > b->record;
}

/* Marks the candidates that the profile has with another structural hash. @list is sorted. */
static void mark_others(struct candidate *list, size_t count, const struct model *model)
{
	size_t i;

	for (i = 0; i < model->count; i++) {
		uint64_t name = model->functions[i].reference;
		size_t at = lower_bound(&name, list, count, sizeof(*list), compare_numbers);

		for (; at < count && list[at].name == name; at++)
			list[at].has_other = true;
	}
}

/*
 * Returns whether no run can count the function of @record. An object that does not use a function has its mapping with a hash
 * of 0, so the program's records, whose reading takes time, are not needed for it.
 */
static bool is_unused(struct report *report, struct report_pair *pair, const struct mapping_record *record)
{
	const struct own_records *records = record->hash ? report_records(report, pair) : NULL;

	return !records || (records->known && !own_records_have_name(records, record->name));
}

static void add_name(struct report_lacking *lacking, const struct name *name)
{
	if (lacking->with_record++ < NAMED_MAX && name)
		buffer_printf(&lacking->names, "%s%.*s", lacking->names.size ? ", " : "", (int)name->text.size,
			(const char *)name->text.data);
}

void report_find_lacking(struct report *report, struct report_pair *pair, struct model *model,
	struct function *const *joined, struct report_lacking *lacking)
{
	const struct mapping *mapping = pair->mapping;
	struct candidate *list = NULL;
	size_t count = 0;
	size_t room = 0;
	size_t i;

	for (i = 0; i < mapping->record_count; i++) {
		const struct mapping_record *record = &mapping->records[i];
		const struct mapping_rename *rename = mapping_renamed(mapping, record->name);

		if (joined[i])
			continue;
		list = array_grow(list, count, &room, sizeof(*list));
		list[count++] = (struct candidate){
			rename && model == &report->merged ? rename->now : record->name, record, false};
	}
	if (!count)
		return;
	qsort(list, count, sizeof(*list), compare_numbers);
	mark_others(list, count, model);
	qsort(list, count, sizeof(*list), compare_records);
	/* The report has no function that the profile has with another structural hash. */
	for (i = 0; i < count; i++) {
		if (list[i].has_other)
			continue;
		if (is_unused(report, pair, list[i].record))
			lacking->unused++;
		else
			add_name(lacking, names_find(&mapping->names, list[i].record->name));
	}
	free(list);
}

/* Returns the number of profiles of the program of @pair, or 0 if a message has said already what they lack. */
static size_t count_profiles(const struct report *report, const struct report_pair *pair)
{
	size_t count = 0;
	size_t i;

	for (i = 0; i < report->count; i++) {
		if (report->pairs[i].mapping != pair->mapping)
			continue;
		if (&report->pairs[i] < pair || report->pairs[i].report.left_out.size)
			return 0;
		count++;
	}
	return count;
}

static void tell(const struct report_pair *pair, size_t profiles, struct report_lacking *lacking)
{
	const char *plural = lacking->with_record == 1 ? "" : "s";
	struct buffer text = {0};

	if (profiles == 1)
		buffer_printf(
			&text, "lacks %" PRIu64 " function%s of %s", lacking->with_record, plural, pair->elf_path);
	else
		buffer_printf(&text, "has %" PRIu64 " function%s that none of its %zu profiles has",
			lacking->with_record, plural, profiles);
	buffer_printf(&text, ": %s", buffer_string(&lacking->names));
	if (lacking->with_record > NAMED_MAX)
		buffer_printf(&text, " and %" PRIu64 " more", lacking->with_record - NAMED_MAX);
	complain(profiles == 1 ? input_name(pair->profile_path) : pair->elf_path,
		"%s; the report shows %s as not run; options such as --partial, --salvage, --function and --sparse "
		"leave out functions%s",
		buffer_string(&text), lacking->with_record == 1 ? "it" : "them",
		pair->checked ? "" : ", and a profile of another build lacks functions");
	buffer_free(&text);
}

void report_tell_lacking(struct report *report, size_t i)
{
	struct report_pair *pair = &report->pairs[i];
	size_t profiles = count_profiles(report, pair);
	struct report_lacking found = {0};
	struct report_lacking *lacking = &found;

	if (profiles && report->count == 1) {
		lacking = &pair->lacking;
	} else if (profiles) {
		struct function **joined = mapping_functions(pair->mapping, report->model, true);

		report_find_lacking(report, pair, report->model, joined, lacking);
		free(joined);
	}
	/* Without the program's records, it is not known whether a run can count the functions. */
	if (lacking->with_record && report_records(report, pair)->known)
		tell(pair, profiles, lacking);
	buffer_free(&found.names);
}
