/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_prepare.c - prepares the input of llvm-cov. The input is one profile, merged from all profiles, and programs
 * whose files and functions have the names that the report shows.
 */
#include "child.h"
#include "exit.h"
#include "output.h"
#include "report.h"
#include "text.h"
#include "variants.h"
#include "versions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copies the profile of pair @i from the file @text to the file @indexed, and renames functions on the way. */
static enum status rename_functions(
	struct report *report, size_t i, const char *text, const char *indexed, struct error *error)
{
	struct buffer renamed = {0};
	struct input input;
	enum status status = input_read(&input, text, error);

	if (status != STATUS_OK)
		return status;
	variants_rename(&report->covmaps[i], input.bytes, &renamed);
	status = output_write(indexed, (struct bytes){renamed.data, renamed.size}, error);
	if (status == STATUS_SYSTEM)
		status = temporary_failed(indexed, error);
	buffer_free(&renamed);
	input_free(&input);
	return status;
}

/* Reads the profile @bytes into @model. @bytes must stay valid as long as @model is used. */
static enum status read_model(struct model *model, struct bytes bytes, struct error *error)
{
	const struct read_options options = {.add = {.weight = 1}, .input_outlives_model = true};

	model_start(model);
	return profile_read(model, bytes, &options, error);
}

/* Writes the indexed profile @bytes to @path as a text profile, which every release reads. */
static enum status write_text(const char *path, struct bytes bytes, struct error *error)
{
	struct output output;
	struct model model;
	enum status status = read_model(&model, bytes, error);

	if (status == STATUS_OK) {
		model_sort(&model);
		output_open(&output, path);
		status = output_close(&output, text_write(&model, &output), error);
	}
	model_free(&model);
	return status;
}

/* Writes the profile of @pair to @path, in a file format that the llvm-profdata of the pair reads. */
static enum status write_given(const struct report_pair *pair, const char *path, struct error *error)
{
	const struct report_profile *profile = &pair->profile;

	if (profile->index_version > index_version_of_release(pair->llvm.major))
		return write_text(path, profile->input.bytes, error);
	return output_write(path, profile->other ? profile->input.bytes : profile->raw, error);
}

/*
 * Converts the profile of pair @i to the file @indexed with the llvm-profdata that reads this profile, and renames
 * functions if needed.
 */
static enum status make_indexed(struct report *report, size_t i, const char *indexed, struct error *error)
{
	const struct report_pair *pair = &report->pairs[i];
	bool renames = report->covmaps && report->covmaps[i].rename_count;
	char *raw = format("%s/dump%zu.given", report->folder, i);
	char *text = format("%s/dump%zu.text", report->folder, i);
	const char *words[] = {
		pair->llvm.profdata, "merge", "-o", renames ? text : indexed, raw, renames ? "-text" : NULL, NULL};
	enum status status = write_given(pair, raw, error);

	report->subject = input_name(pair->profile_path);
	if (status == STATUS_SYSTEM)
		status = temporary_failed(raw, error);
	if (status == STATUS_OK)
		status = report_tool(words, NULL, error);
	if (status == STATUS_OK && access(renames ? text : indexed, R_OK))
		status = error_set(error, STATUS_SYSTEM,
			"%s merge wrote nothing; check that this program is llvm-profdata", words[0]);
	if (status == STATUS_OK && renames)
		status = rename_functions(report, i, text, indexed, error);
	free(text);
	free(raw);
	return status;
}

char *report_pair_indexed(const struct report *report, size_t i)
{
	return report->count > 1 ? format("%s/dump%zu.profdata", report->folder, i) : format("%s", report->indexed);
}

/* Makes an indexed profile from each pair's profile, and merges all of them into one profile. */
static enum status merge_profiles(struct report *report, struct error *error)
{
	const char **words = allocate(report->count + 5, sizeof(*words));
	char **indexed = allocate(report->count, sizeof(*indexed));
	enum status status = STATUS_OK;
	size_t i;

	words[0] = report->llvm->profdata;
	words[1] = "merge";
	words[2] = "-o";
	words[3] = report->indexed;
	for (i = 0; i < report->count && status == STATUS_OK; i++) {
		indexed[i] = report_pair_indexed(report, i);
		words[4 + i] = indexed[i];
		status = make_indexed(report, i, indexed[i], error);
	}
	if (status == STATUS_OK && report->count > 1)
		status = report_tool(words, NULL, error);
	for (i = 0; i < report->count; i++)
		free(indexed[i]);
	free(indexed);
	free(words);
	return status;
}

static void tell_variants(const struct report *report, size_t several)
{
	size_t i = 0;

	while (i < report->count && !report->covmaps[i].rename_count)
		i++;
	if (i < report->count)
		complain(NULL, "%zu function%s in some of the programs and %s shown as variants, such as '%s' of %s",
			several, several > 1 ? "s differ" : " differs", several > 1 ? "are" : "is",
			report->covmaps[i].renames[0].name, report->pairs[i].elf_path);
}

static void free_mappings(struct report *report)
{
	size_t i;

	for (i = 0; i < report->count && report->covmaps; i++)
		covmap_free(&report->covmaps[i]);
	free(report->covmaps);
	report->covmaps = NULL;
}

/* Reads the coverage mappings of the programs, and finds which files and functions to rename. */
static enum status read_mappings(struct report *report, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	report->covmaps = allocate(report->count, sizeof(*report->covmaps));
	for (i = 0; i < report->count && status == STATUS_OK; i++) {
		report->covmaps[i].maps = report->maps;
		report->covmaps[i].map_count = report->map_count;
		report->subject = report->pairs[i].elf_path;
		status = covmap_open(&report->covmaps[i], report->pairs[i].elf_path, error);
	}
	for (i = 0; i < report->map_count && status == STATUS_OK; i++)
		if (!report->maps[i].used)
			complain(NULL, "--path-map: no source file was compiled in the folder %.*s",
				(int)report->maps[i].from.size + !report->maps[i].from.size,
				(const char *)report->maps[i].from.data);
	if (status == STATUS_OK && report->count > 1)
		tell_variants(report, variants_find(report->covmaps, report->count));
	return status;
}

/* Reads the indexed profile at @path into @input and @model. @input must stay valid as long as @model is used. */
static enum status read_indexed(struct model *model, struct input *input, const char *path, struct error *error)
{
	enum status status = input_read(input, path, error);

	if (status == STATUS_OK)
		return read_model(model, input->bytes, error);
	model_start(model);
	return status;
}

static enum status check_profile(struct report *report, size_t i, struct error *error)
{
	struct input input = {0};
	struct model model;
	char *path = report_pair_indexed(report, i);
	enum status status = read_indexed(&model, &input, path, error);

	if (status == STATUS_OK) {
		report_match(report, i, &model);
		report_impossible(report, i, &model);
	}
	model_free(&model);
	input_free(&input);
	free(path);
	return status;
}

static enum status zero_counts(struct report *report, struct error *error)
{
	struct input input = {0};
	struct model model;
	enum status status = read_indexed(&model, &input, report->indexed, error);

	if (status == STATUS_OK)
		report_zero(report, &model);
	model_free(&model);
	input_free(&input);
	return status;
}

static enum status check_profiles(struct report *report, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	report_index(report);
	for (i = 0; i < report->count && status == STATUS_OK; i++)
		status = check_profile(report, i, error);
	if (status == STATUS_OK)
		status = report_tell_missing(report, error);
	if (status == STATUS_OK && report->needs_zeros)
		status = zero_counts(report, error);
	return status;
}

/*
 * Sets pair->object, the path by which llvm-cov gets the program of pair @i. The path leads to the program itself, or
 * to a copy in which source files or functions are renamed. If the path begins with - or @, the function adds ./ before
 * it. Otherwise llvm-cov would read the path as an option, or as the name of a file with options.
 */
static enum status make_object(struct report *report, size_t i, struct error *error)
{
	struct report_pair *pair = &report->pairs[i];

	if (!report->map_count &&
		!(report->covmaps && (report->covmaps[i].rename_count || report->covmaps[i].changed))) {
		pair->object = format("%s%s", strchr("-@", *pair->elf_path) ? "./" : "", pair->elf_path);
		return STATUS_OK;
	}
	pair->object = format("%s/program%zu", report->folder, i);
	report->subject = pair->elf_path;
	return covmap_write(&report->covmaps[i], pair->object, error);
}

/* The end of a message about a missing section: the next step for the user. */
#define HINT_KEEP_SECTION "add the line that 'bareprof check' prints for it, link the program again, and run it again"

/* Checks that each program has the parts of the mapping that llvm-cov needs. */
static enum status check_mappings(struct report *report, struct error *error)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct covmap *covmap = &report->covmaps[i];

		report->subject = report->pairs[i].elf_path;
		if (!covmap->part[COVMAP_FUNCTIONS].size)
			return error_set(error, STATUS_INVALID_INPUT,
				"has a coverage mapping without functions: the linker discarded the section "
				"__llvm_covfun, so there is nothing to report; " HINT_KEEP_SECTION);
		if (!covmap->names.count)
			return error_set(error, STATUS_INVALID_INPUT,
				"has no names of functions: the section __llvm_prf_names was discarded, so there is "
				"nothing to report; " HINT_KEEP_SECTION);
	}
	return STATUS_OK;
}

/*
 * Reads the mappings. If they cannot be read, a report of a single program is still possible, unless files must be
 * renamed.
 */
static enum status prepare_mappings(struct report *report, struct error *error)
{
	enum status status = read_mappings(report, error);

	if (status == STATUS_OK)
		return check_mappings(report, error);
	if (status != STATUS_INVALID_INPUT || report->map_count || report->count > 1)
		return status;
	complain(report->subject,
		"has a coverage mapping that this bareprof cannot read, so report cannot find impossible counts");
	free_mappings(report);
	return STATUS_OK;
}

enum status report_prepare(struct report *report, struct error *error)
{
	enum status status;
	size_t i;

	report->subject = NULL;
	status = temporary_folder(&report->folder, error);
	if (status != STATUS_OK)
		return status;
	report->indexed = format("%s/dump.profdata", report->folder);
	status = prepare_mappings(report, error);
	if (status == STATUS_OK)
		status = merge_profiles(report, error);
	if (status == STATUS_OK && report->covmaps)
		status = check_profiles(report, error);
	for (i = 0; i < report->count && status == STATUS_OK; i++)
		status = make_object(report, i, error);
	if (status == STATUS_OK)
		report->subject = report->pairs[0].elf_path;
	return status;
}

void report_free(struct report *report)
{
	size_t i;

	for (i = 0; i < report->count && report->pairs; i++) {
		struct report_pair *pair = &report->pairs[i];

		dump_receiver_free(&pair->profile.dump);
		buffer_free(&pair->profile.fixed);
		buffer_free(&pair->missing);
		programs_free(&pair->programs);
		completion_report_free(&pair->report);
		input_free(&pair->profile.input);
		elf_free(&pair->elf);
		llvm_free(&pair->llvm);
		free(pair->object);
	}
	free_mappings(report);
	report_index_free(&report->index);
	free(report->pairs);
	lcov_free(&report->lcov);
	free(report->indexed);
	temporary_remove(report->folder);
	free(report->folder);
}
