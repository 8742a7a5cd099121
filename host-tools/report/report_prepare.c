/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_prepare.c - computes the coverage of all programs from their mappings and from the sum of all profiles.
 */
#include "exit.h"
#include "report.h"
#include "variants.h"

#include <stdlib.h>

bool report_is_one_program(const struct report *report)
{
	return report->mapping_count == 1;
}

/* Returns the mapping of the program of pair @i if a pair before it has the same program, or NULL. */
static struct mapping *known_mapping(const struct report *report, size_t i)
{
	size_t other;

	for (other = 0; other < i; other++)
		if (!strcmp(report->pairs[other].elf_path, report->pairs[i].elf_path))
			return report->pairs[other].mapping;
	return NULL;
}

static void tell_variants(const struct report *report, size_t several)
{
	size_t i = 0;

	while (i < report->count && !report->pairs[i].mapping->rename_count)
		i++;
	if (i < report->count)
		complain(NULL, "%zu function%s in some of the programs and %s shown as variants, such as '%s' of %s",
			several, several > 1 ? "s differ" : " differs", several > 1 ? "are" : "is",
			report->pairs[i].mapping->renames[0].name, report->pairs[i].elf_path);
}

/* Reads the coverage mappings of the programs, and finds which functions to rename. */
static enum status read_mappings(struct report *report, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	report->files.maps = report->maps;
	report->files.map_count = report->map_count;
	report->mappings = allocate(report->count, sizeof(*report->mappings));
	for (i = 0; i < report->count && status == STATUS_OK; i++) {
		struct report_pair *pair = &report->pairs[i];

		report->subject = pair->elf_path;
		pair->mapping = known_mapping(report, i);
		if (pair->mapping)
			continue;
		pair->mapping = &report->mappings[report->mapping_count++];
		status = mapping_read(pair->mapping, pair->elf_path, &report->files, error);
	}
	for (i = 0; i < report->map_count && status == STATUS_OK; i++)
		if (!report->maps[i].used)
			complain(NULL, "--path-map: no source file was compiled in the folder %.*s",
				(int)report->maps[i].from.size + !report->maps[i].from.size,
				(const char *)report->maps[i].from.data);
	if (status == STATUS_OK && report->mapping_count > 1)
		tell_variants(report, variants_find(report->mappings, report->mapping_count, &report->files));
	return status;
}

/* The end of a message about a missing section: the next step for the user. */
#define HINT_KEEP_SECTION "add the line that 'bareprof check' prints for it, link the program again, and run it again"

/* Checks that each program has the parts of the mapping that a report needs. */
static enum status check_mappings(struct report *report, struct error *error)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct mapping *mapping = report->pairs[i].mapping;

		report->subject = report->pairs[i].elf_path;
		if (!mapping->records_section.size)
			return error_set(error, STATUS_INVALID_INPUT,
				"has a coverage mapping without functions: the linker discarded the section "
				"__llvm_covfun, so there is nothing to report; " HINT_KEEP_SECTION);
		if (!mapping->names.count)
			return error_set(error, STATUS_INVALID_INPUT,
				"has no names of functions: the section __llvm_prf_names was discarded, so there is "
				"nothing to report; " HINT_KEEP_SECTION);
	}
	return STATUS_OK;
}

/* Adds the profile of @pair to the sum, with the new names of the functions that are variants. */
static enum status add_profile(struct report *report, struct report_pair *pair, struct error *error)
{
	enum status status = model_kind(&report->merged, pair->model.variants, error);
	size_t i;

	report->subject = input_name(pair->profile_path);
	for (i = 0; i < pair->model.count && status == STATUS_OK; i++) {
		struct function function = pair->model.functions[i];
		const struct mapping_rename *rename = mapping_renamed(pair->mapping, function.reference);

		if (rename) {
			function.reference = rename->now;
			function.name = (struct bytes){(const uint8_t *)rename->name, strlen(rename->name)};
		}
		model_add(&report->merged, &function, 1);
	}
	return status;
}

static enum status merge_profiles(struct report *report, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	report->model = &report->pairs[0].model;
	if (report->count > 1) {
		model_start(&report->merged);
		report->model = &report->merged;
	}
	for (i = 0; i < report->count && report->count > 1 && status == STATUS_OK; i++)
		status = add_profile(report, &report->pairs[i], error);
	/* Only sorted models can be written. This must come first, because the coverage points into the model. */
	if (status == STATUS_OK && report->wants_llvm)
		model_sort(report->model);
	return status;
}

/* Tells which functions the coverage lacks because the mapping is damaged. Errors: INVALID_INPUT if it has no function. */
static enum status check_coverage(struct report *report, struct error *error)
{
	const struct coverage *coverage = &report->coverage;
	struct buffer text = {0};

	if (coverage->unusable)
		buffer_add_clause(&text,
			"has %zu function%s whose coverage mapping does not fit its counters, such as %.*s, so the "
			"mapping is damaged or comes from another build",
			coverage->unusable, coverage->unusable == 1 ? "" : "s", (int)coverage->first_unusable.size,
			(const char *)coverage->first_unusable.data);
	if (coverage->nameless)
		buffer_add_clause(&text, "has %zu function%s without a name in its coverage mapping",
			coverage->nameless, coverage->nameless == 1 ? "" : "s");
	if (coverage->unknown_decisions)
		complain(report->subject,
			"has %zu MC/DC decision%s with more test vectors than report evaluates, or with a damaged "
			"mapping; their conditions count as not covered",
			coverage->unknown_decisions, coverage->unknown_decisions == 1 ? "" : "s");
	if (!coverage->count) {
		error_set(error, STATUS_INVALID_INPUT, "%s%sso there is nothing to report; link the program again",
			text.size ? buffer_string(&text) : "has no function with a coverage mapping and counts", ", ");
		buffer_free(&text);
		return STATUS_INVALID_INPUT;
	}
	if (text.size) {
		complain(report->subject, "%s; the report lacks %s", buffer_string(&text),
			coverage->unusable + coverage->nameless == 1 ? "this function" : "these functions");
		report->incomplete = true;
	}
	buffer_free(&text);
	return STATUS_OK;
}

static enum status compute_coverage(struct report *report, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	coverage_start(&report->coverage, &report->files, report->release, report->wants_files);
	for (i = 0; i < report->mapping_count && status == STATUS_OK; i++)
		status = coverage_add(&report->coverage, &report->mappings[i], report->model, error);
	if (status != STATUS_OK)
		return status;
	status = check_coverage(report, error);
	if (status != STATUS_OK)
		return status;
	coverage_finish(&report->coverage);
	report->selection.coverage = &report->coverage;
	report->selected_files = source_filter_files(&report->filter, &report->coverage, &report->selection.file_count);
	report->selection.files = report->selected_files;
	return source_filter_check(&report->filter, &report->coverage, error);
}

enum status report_prepare(struct report *report, struct error *error)
{
	enum status status = read_mappings(report, error);
	size_t i;

	if (status == STATUS_OK)
		status = check_mappings(report, error);
	if (status == STATUS_OK)
		status = merge_profiles(report, error);
	if (status != STATUS_OK)
		return status;
	for (i = 0; i < report->count; i++)
		report_match(report, i);
	status = report_tell_missing(report, error);
	if (status != STATUS_OK)
		return status;
	report->subject = report->pairs[0].elf_path;
	status = compute_coverage(report, error);
	for (i = 0; i < report->count && status == STATUS_OK; i++)
		report_impossible(report, i);
	return status;
}

enum status report_lcov(struct report *report, struct error *error)
{
	enum status status = STATUS_OK;

	if (!report->lcov_read)
		status = coverage_lcov(&report->selection, &report->lcov, error);
	report->lcov_read = true;
	return status;
}

void report_free(struct report *report)
{
	size_t i;

	for (i = 0; i < report->count && report->pairs; i++) {
		struct report_pair *pair = &report->pairs[i];

		if (pair->model_used)
			model_free(&pair->model);
		dump_receiver_free(&pair->profile.dump);
		first_names_free(&pair->missing);
		first_names_free(&pair->lacking.with_record);
		own_records_free(&pair->own_records);
		programs_free(&pair->programs);
		completion_report_free(&pair->report);
		input_free(&pair->profile.input);
		elf_free(&pair->elf);
	}
	report_tools_free(report);
	if (report->model == &report->merged)
		model_free(&report->merged);
	for (i = 0; i < report->mapping_count; i++)
		mapping_free(&report->mappings[i]);
	free(report->selected_files);
	source_filter_free(&report->filter);
	coverage_free(&report->coverage);
	file_names_free(&report->files);
	free(report->mappings);
	free(report->pairs);
	lcov_free(&report->lcov);
}
