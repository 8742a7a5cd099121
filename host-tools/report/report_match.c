/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_match.c - compares the functions of profiles with the functions of the programs. A report has the functions of
 * the programs. So it lacks two kinds of functions: those that only the profile has, and those whose structural hash
 * differs.
 */
#include "exit.h"
#include "mapping_functions.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>

enum match {
	MATCH_MAPPED,
	MATCH_DUPLICATE, /* the mapping belongs to another function of the profile with the same name */
	MATCH_CHANGED, /* the structural hash in the mapping differs from the hash in the profile */
	MATCH_UNMAPPED, /* the function was compiled without -fcoverage-mapping */
	MATCH_ABSENT,
};

/*
 * Returns a list that tells, for each function of @model, whether the mapping of a program has it. @joined is the result of
 * mapping_functions() for @own. The caller frees the list.
 */
static bool *list_mapped(
	const struct report *report, struct model *model, const struct mapping *own, struct function *const *joined)
{
	bool *mapped = allocate(model->count, sizeof(*mapped));
	size_t i;
	size_t n;

	for (i = 0; i < report->mapping_count; i++) {
		const struct mapping *mapping = &report->mappings[i];
		struct function **other = mapping == own ? NULL : mapping_functions(mapping, model, false);
		struct function *const *found = other ? other : joined;

		for (n = 0; n < mapping->record_count; n++)
			if (found[n])
				mapped[found[n] - model->functions] = true;
		for (n = 0; n < mapping->shadowed_count; n++) {
			const struct mapping_record *record = &mapping->shadowed[n];
			const struct function *function = model_find(model, record->name, record->hash);

			if (function)
				mapped[function - model->functions] = true;
		}
		free(other);
	}
	return mapped;
}

/* Returns how a function of @model that no program maps differs from those with the same name in @mapping. */
static enum match compare_with(const struct mapping *mapping, struct model *model, uint64_t name)
{
	const struct mapping_record *record = mapping_find(mapping, name);
	const struct mapping_record *shadowed;
	bool used = record && record->hash;
	size_t count;
	size_t i;

	if (!record)
		return names_find(&mapping->names, name) ? MATCH_UNMAPPED : MATCH_ABSENT;
	if (model_find(model, name, record->hash))
		return MATCH_DUPLICATE;
	shadowed = mapping_find_shadowed(mapping, name, &count);
	for (i = 0; i < count; i++) {
		if (model_find(model, name, shadowed[i].hash))
			return MATCH_DUPLICATE;
		used = used || shadowed[i].hash;
	}
	return used ? MATCH_CHANGED : MATCH_UNMAPPED;
}

/* Compares @function of @model, which no program maps, with the functions of all programs. */
static enum match compare(const struct report *report, struct model *model, const struct function *function)
{
	enum match best = MATCH_ABSENT;
	size_t i;

	for (i = 0; i < report->mapping_count; i++) {
		enum match match = compare_with(&report->mappings[i], model, function->reference);

		best = match < best ? match : best;
	}
	return best;
}

static void add_missing(struct report_pair *pair, const struct function *function, uint64_t *count)
{
	first_names_add(&pair->missing, function->name);
	(*count)++;
}

/*
 * Returns whether the program of @pair has no record of @function, although its build id is that of the profile. If the
 * profile names no other build, it is damaged, or was merged with a profile that has no build id.
 */
static bool is_foreign(struct report *report, struct report_pair *pair, const struct function *function)
{
	const struct own_records *records = pair->checked ? report_records(report, pair) : NULL;

	return records && records->known && !own_records_have(records, function->reference, function->hash);
}

void report_match(struct report *report, size_t i)
{
	struct report_pair *pair = &report->pairs[i];
	struct model *model = &pair->model;
	struct function **joined = mapping_functions(pair->mapping, model, false);
	bool *mapped = list_mapped(report, model, pair->mapping, joined);
	size_t n;

	pair->functions.in_profile = model->count;
	for (n = 0; n < model->count; n++) {
		const struct function *function = &model->functions[n];

		switch (mapped[n] ? MATCH_MAPPED : compare(report, model, function)) {
		case MATCH_MAPPED:
			pair->functions.mapped++;
			break;
		case MATCH_DUPLICATE:
			/*
			 * If the profile was merged from several builds, this function comes from another build, and is
			 * not a weak duplicate.
			 */
			if (pair->other_builds)
				add_missing(pair, function, &pair->functions.changed);
			else
				pair->functions.duplicates++;
			break;
		case MATCH_CHANGED:
			add_missing(pair, function, &pair->functions.changed);
			pair->functions.foreign += is_foreign(report, pair, function);
			break;
		case MATCH_UNMAPPED:
			break;
		case MATCH_ABSENT:
			add_missing(pair, function, &pair->functions.absent);
			break;
		}
	}
	/* These functions are needed only for the first pair, because only the numbers of this pair are printed. */
	if (i == 0)
		report_find_lacking(report, pair, model, joined, &pair->lacking);
	free(mapped);
	free(joined);
}

/* Sets @error to the reason why no function in the profile of @pair is in the report. */
static enum status refuse_all(struct report *report, struct report_pair *pair, struct error *error)
{
	const struct report_functions *functions = &pair->functions;

	report->subject = input_name(pair->profile_path);
	if (pair->missing.count < functions->in_profile)
		return error_set(error, STATUS_INVALID_INPUT,
			"has %" PRIu64 " functions, but none of them has a coverage mapping in %s, so there is nothing "
			"to report: compile them with -fcoverage-mapping, link the program again, and run it again",
			functions->in_profile, pair->elf_path);
	return error_set(error, STATUS_INVALID_INPUT,
		"comes from another %s: %s has none of its %" PRIu64
		" functions (such as %s)%s; name the ELF file of the program that wrote this profile, or run %s again",
		functions->changed ? "build" : "program", pair->elf_path, functions->in_profile,
		buffer_string(&pair->missing.names), functions->changed ? " with the same control flow" : "",
		pair->elf_path);
}

/*
 * Returns true if the report lacks functions of @pair for a normal reason. The build ids must be equal, and one of two
 * reasons must apply. Either the profile was merged from this build and from other builds. Or objects of this build define
 * some functions differently: then the program has the record of one definition and the mapping of another one, and the
 * report lacks only such functions.
 */
static bool is_sound(const struct report_pair *pair)
{
	return pair->checked && (pair->other_builds || !(pair->functions.absent || pair->functions.foreign));
}

static void tell_pair(const struct report *report, struct report_pair *pair)
{
	const struct report_functions *functions = &pair->functions;
	uint64_t count = pair->missing.count;
	struct buffer text = {0};

	buffer_printf(
		&text, "has %" PRIu64 " function%s whose counts the report lacks: ", count, count == 1 ? "" : "s");
	first_names_text(&pair->missing, &text);
	if (functions->absent)
		buffer_printf(&text, "; functions that are not in %s: %" PRIu64,
			report_is_one_program(report) ? pair->elf_path : "any of the programs", functions->absent);
	if (functions->changed)
		buffer_printf(&text, "; functions whose control flow differs from that in the program: %" PRIu64,
			functions->changed);
	if (pair->checked && pair->other_builds)
		buffer_printf(&text, "; this file also contains profiles of %zu other build%s: to report %s",
			pair->other_builds, pair->other_builds == 1 ? "" : "s",
			pair->other_builds == 1 ? "it, name its ELF file, too" : "them, name their ELF files, too");
	else if (!is_sound(pair) && !functions->absent && pair->checked)
		buffer_printf(&text,
			"; %s has no record of %s, so the profile is damaged, or has counts of another build: run %s "
			"again",
			pair->elf_path, functions->foreign == count ? count == 1 ? "it" : "them" : "some of them",
			pair->elf_path);
	else if (!is_sound(pair))
		buffer_printf(&text,
			"; the profile comes from another build, or from several programs: run %s again, or name the "
			"other programs, too",
			pair->elf_path);
	complain(input_name(pair->profile_path), "%s", buffer_string(&text));
	buffer_free(&text);
}

enum status report_tell_missing(struct report *report, struct error *error)
{
	uint64_t mapped = 0;
	size_t i;

	for (i = 0; i < report->count; i++)
		mapped += report->pairs[i].functions.mapped;
	if (!mapped)
		return refuse_all(report, &report->pairs[0], error);
	for (i = 0; i < report->count; i++) {
		struct report_pair *pair = &report->pairs[i];

		if (!pair->missing.count)
			continue;
		tell_pair(report, pair);
		report->incomplete = report->incomplete || !is_sound(pair);
	}
	for (i = 0; i < report->count; i++)
		report_tell_lacking(report, i);
	return STATUS_OK;
}
