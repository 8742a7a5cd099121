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
	size_t record; /* index of its record in the mapping */
};

/*
 * Returns a list that tells, for each record of @mapping, whether @model has its function with another structural hash.
 * @joined is the result of mapping_functions(). With @renamed, the functions of @model have the names of mapping_renamed().
 * The caller frees the list.
 */
static bool *list_changed(
	const struct mapping *mapping, const struct model *model, struct function *const *joined, bool renamed)
{
	bool *changed = allocate(mapping->record_count, sizeof(*changed));
	struct candidate *list = NULL;
	size_t count = 0;
	size_t room = 0;
	size_t i;

	for (i = 0; i < mapping->record_count; i++) {
		uint64_t name = mapping->records[i].name;
		const struct mapping_rename *rename = renamed ? mapping_renamed(mapping, name) : NULL;

		if (joined[i])
			continue;
		list = array_grow(list, count, &room, sizeof(*list));
		list[count++] = (struct candidate){rename ? rename->now : name, i};
	}
	if (count)
		qsort(list, count, sizeof(*list), compare_numbers);
	for (i = 0; i < model->count && count; i++) {
		uint64_t name = model->functions[i].reference;
		size_t at = lower_bound(&name, list, count, sizeof(*list), compare_numbers);

		for (; at < count && list[at].name == name; at++)
			changed[list[at].record] = true;
	}
	free(list);
	return changed;
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

void report_find_lacking(struct report *report, struct report_pair *pair, struct model *model,
	struct function *const *joined, struct report_lacking *lacking)
{
	const struct mapping *mapping = pair->mapping;
	bool *changed = list_changed(mapping, model, joined, model == &report->merged);
	size_t i;

	for (i = 0; i < mapping->record_count; i++) {
		const struct mapping_record *record = &mapping->records[i];
		const struct name *name;

		/* report_match() counts a function with another structural hash as changed, so it is not lacking. */
		if (joined[i] || changed[i])
			continue;
		if (is_unused(report, pair, record)) {
			lacking->unused++;
			continue;
		}
		name = names_find(&mapping->names, record->name);
		first_names_add(&lacking->with_record, name ? name->text : (struct bytes){NULL, 0});
	}
	free(changed);
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
	uint64_t count = lacking->with_record.count;
	struct buffer text = {0};

	if (profiles == 1)
		buffer_printf(
			&text, "lacks %" PRIu64 " function%s of %s: ", count, count == 1 ? "" : "s", pair->elf_path);
	else
		buffer_printf(&text, "has %" PRIu64 " function%s that none of its %zu profiles has: ", count,
			count == 1 ? "" : "s", profiles);
	first_names_text(&lacking->with_record, &text);
	complain(profiles == 1 ? input_name(pair->profile_path) : pair->elf_path,
		"%s; the report shows %s as not run; options such as --partial, --salvage, --function and --sparse "
		"leave out functions%s",
		buffer_string(&text), count == 1 ? "it" : "them",
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
	if (lacking->with_record.count && report_records(report, pair)->known)
		tell(pair, profiles, lacking);
	first_names_free(&found.with_record);
}
