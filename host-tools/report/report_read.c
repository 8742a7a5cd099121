/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_read.c - reads programs and profiles. Checks that the program and the profile of each pair belong together,
 * and that a coverage report can be made from them.
 */
#include "elf_files.h"
#include "exit.h"
#include "indexed.h"
#include "raw_open.h"
#include "raw_release.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The end of a message about a profile of another build: the next step for the user. */
#define HINT_OTHER_BUILD "; name the ELF file of the build that ran, or run this one again"

static enum status check_ids(struct report_pair *pair, struct bytes id, struct error *error)
{
	const struct buffer *of_elf = &pair->elf.build_id;
	struct buffer text = {0};

	pair->checked = id.size && of_elf->size;
	if (!pair->checked || (id.size == of_elf->size && !memcmp(id.data, of_elf->data, id.size)))
		return STATUS_OK;
	buffer_add_text(&text, "comes from another build: its build id is ");
	buffer_add_hex(&text, id);
	buffer_printf(&text, ", but that of %s is ", pair->elf_path);
	buffer_add_hex(&text, (struct bytes){of_elf->data, of_elf->size});
	buffer_add_text(&text, HINT_OTHER_BUILD);
	error_set(error, STATUS_INVALID_INPUT, "%s", buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

/* Xen's build strips the program xen and keeps the program before strip as xen-syms, in the same folder. */
static enum status refuse_without_mapping(const char *elf_path, struct error *error)
{
	char *syms = format("%s-syms", elf_path);

	if (access(syms, R_OK))
		error_set(error, STATUS_INVALID_INPUT,
			"has no coverage mapping (section __llvm_covmap): compile with -fcoverage-mapping, and do not "
			"strip the program");
	else
		error_set(error, STATUS_INVALID_INPUT,
			"has no coverage mapping (section __llvm_covmap), because it was stripped; give %s, the same "
			"program before strip",
			syms);
	free(syms);
	return STATUS_INVALID_INPUT;
}

static enum status refuse_pgo(struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"is a PGO profile without coverage mapping, so there is no coverage report; "
		"'bareprof show' and 'llvm-profdata show' read it");
}

static enum status refuse_empty(struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"has no functions, so there is nothing to report: either the program that ran was not instrumented, or "
		"the linker discarded its records; run 'bareprof check' on the program");
}

/* Checks that a coverage report can be made from a raw profile, and that the profile comes from the pair's ELF file. */
static enum status check_raw(struct report_pair *pair, const struct raw_profile *raw, struct error *error)
{
	if (raw->version_word & BAREPROF_VARIANT_IR)
		return refuse_pgo(error);
	if (raw_correlated(raw))
		return error_set(error, STATUS_INVALID_INPUT,
			"has no records, because they are in the ELF file: make an indexed profile from this file and "
			"the ELF file, with "
			"llvm-profdata merge and --binary-file or --debug-info");
	return check_ids(pair, raw->build_id, error);
}

static enum status check_raws(struct report_pair *pair, struct error *error)
{
	struct bytes file = pair->profile.raw;
	enum status status = STATUS_OK;
	struct raw_profile raw;
	uint64_t records = 0;
	size_t offset = 0;

	while (offset < file.size && status == STATUS_OK) {
		status = raw_open(&raw, file, offset, error);
		if (status == STATUS_OK)
			status = check_raw(pair, &raw, error);
		raw_close(&raw);
		if (offset == 0)
			pair->first = raw;
		pair->records = pair->first.records;
		records += raw.records;
		offset = raw.end;
	}
	if (status == STATUS_OK && !records)
		return refuse_empty(error);
	return status;
}

/*
 * Checks that the program's build id is in an indexed profile, which has the build ids of all profiles that were merged
 * into it.
 */
static enum status check_merged_ids(struct report_pair *pair, const struct model *model, struct error *error)
{
	const struct buffer *of_elf = &pair->elf.build_id;
	struct cursor ids = cursor_of((struct bytes){model->build_ids.data, model->build_ids.size});
	struct bytes first = {NULL, 0};
	struct buffer text = {0};
	size_t count = 0;

	if (!model->build_ids.size || !of_elf->size)
		return STATUS_OK;
	for (; ids.at < ids.end; count++) {
		uint64_t size = load_uint(take_bytes(&ids, 8).data, 8, false);
		struct bytes id = take_bytes(&ids, size);

		take_bytes(&ids, BAREPROF_PAD8(size));
		if (!count)
			first = id;
		if (id.size == of_elf->size && !memcmp(id.data, of_elf->data, id.size))
			pair->checked = true;
	}
	pair->other_builds = count - pair->checked;
	if (pair->checked)
		return STATUS_OK;
	buffer_add_text(&text,
		count == 1 ? "comes from another build: its build id is " : "comes from other builds: its build ids, ");
	buffer_add_hex(&text, first);
	if (count > 1)
		buffer_printf(&text, " and %zu more, do not include ", count - 1);
	else
		buffer_printf(&text, ", but that of %s is ", pair->elf_path);
	buffer_add_hex(&text, (struct bytes){of_elf->data, of_elf->size});
	if (count > 1)
		buffer_printf(&text, ", that of %s", pair->elf_path);
	error_set(error, STATUS_INVALID_INPUT, "%s" HINT_OTHER_BUILD, buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

/* Checks an indexed profile or a text profile as check_raws() checks raw profiles. */
static enum status check_other(struct report_pair *pair, struct error *error)
{
	if (pair->model.variants & BAREPROF_VARIANT_IR)
		return refuse_pgo(error);
	if (!pair->model.count)
		return refuse_empty(error);
	model_sort_build_ids(&pair->model);
	return check_merged_ids(pair, &pair->model, error);
}

/* Returns whether program and profile are in the wrong order. */
static bool swapped(const struct report_pair *pair)
{
	struct elf_info elf;
	struct error ignored;
	bool is_elf = strcmp(pair->profile_path, "-") != 0 && elf_read(&elf, pair->profile_path, &ignored) == STATUS_OK;

	if (is_elf)
		elf_free(&elf);
	return is_elf;
}

static enum status read_elf(struct report *report, struct report_pair *pair, struct error *error)
{
	enum status status;

	report->subject = pair->elf_path;
	status = elf_read(&pair->elf, pair->elf_path, error);
	if (status != STATUS_INVALID_INPUT)
		return status;
	if (swapped(pair))
		return error_set(error, STATUS_INVALID_INPUT,
			"is not an ELF file, but %s is: the program comes first, then its profile", pair->profile_path);
	return error_set(error, STATUS_INVALID_INPUT,
		"is not an ELF file; give the linker's output, not a file that objcopy or gzip made from it");
}

/* Reads the profiles of @pair into its model. A raw profile is checked before, because its version tells more. */
static enum status read_profile(struct report *report, struct report_pair *pair,
	const struct completion_options *completion, struct error *error)
{
	const struct read_options options = {
		.add = {.weight = 1}, .completion = *completion, .input_outlives_model = true};
	struct report_profile *profile = &pair->profile;
	enum status status = input_read(&profile->input, pair->profile_path, error);
	struct bytes bytes = profile->input.bytes;

	if (status != STATUS_OK)
		return status;
	switch (detect_format(bytes)) {
	case FORMAT_INDEXED:
		break;
	case FORMAT_UNKNOWN:
		/* Only a capture needs the records of the program, and it takes time to read them. */
		report->subject = pair->elf_path;
		status = programs_elf(&pair->programs, pair->elf_path, error);
		if (status != STATUS_OK)
			return status;
		report->subject = input_name(pair->profile_path);
		status = profile_unpack(&profile->dump, bytes, completion, error);
		profile->raw = (struct bytes){profile->dump.stream.data, profile->dump.stream.size};
		break;
	default:
		status = profile_raw(bytes, completion, NULL, &profile->raw, error);
	}
	if (status == STATUS_OK && profile->raw.size) {
		bytes = profile->raw;
		status = check_raws(pair, error);
	}
	model_start(&pair->model);
	pair->model_used = true;
	if (status == STATUS_OK)
		status = profile_read(&pair->model, bytes, &options, error);
	return status == STATUS_OK && !profile->raw.size ? check_other(pair, error) : status;
}

static enum status read_pair(struct report *report, struct report_pair *pair, struct error *error)
{
	const struct completion_options completion = {
		.programs = &pair->programs, .partial = report->partial, .report = &pair->report};
	enum status status = read_elf(report, pair, error);

	if (status != STATUS_OK)
		return status;
	report->subject = input_name(pair->profile_path);
	status = read_profile(report, pair, &completion, error);
	if (status == STATUS_OK && !pair->elf.coverage_mapping) {
		report->subject = pair->elf_path;
		return refuse_without_mapping(pair->elf_path, error);
	}
	return status;
}

static void print_warnings_of_pairs(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++)
		print_warnings(input_name(report->pairs[i].profile_path), &report->pairs[i].report);
	for (i = 0; i < report->count; i++)
		if (!report->pairs[i].checked && !report->pairs[i].report.warning.size)
			complain(input_name(report->pairs[i].profile_path),
				"has no build id, or the program has none, so report cannot check that the profile "
				"belongs to %s",
				report->pairs[i].elf_path);
}

/*
 * Warns of two dumps of one boot without a reset between them. The later dump then has all counts of the earlier dump,
 * too.
 */
static void warn_of_repeated_dumps(const struct report *report)
{
	size_t i;
	size_t first;

	for (i = 1; i < report->count; i++) {
		const struct report_pair *pair = &report->pairs[i];
		struct buffer text = {0};

		for (first = 0; first < i; first++)
			if (completion_same_origin(&report->pairs[first].report, &pair->report))
				break;
		if (first < i) {
			completion_add_repeated(&text, input_name(report->pairs[first].profile_path));
			complain(input_name(pair->profile_path), "%s", buffer_string(&text));
		}
		buffer_free(&text);
	}
}

/*
 * Returns the release of LLVM that made a program. Without a note of clang, returns the newest release that writes the
 * raw version.
 */
static unsigned int release_of(const struct report_pair *pair)
{
	const struct raw_release *release = raw_release(pair->first.version);

	return pair->elf.clang ? pair->elf.clang : release ? release->newest : 0;
}

enum status report_read(struct report *report, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	report->pairs = allocate(report->count, sizeof(*report->pairs));
	for (i = 0; i < report->count; i++)
		programs_start(&report->pairs[i].programs);
	for (i = 0; i < report->count && status == STATUS_OK; i++) {
		struct report_pair *pair = &report->pairs[i];

		pair->elf_path = report->operands[2 * i];
		pair->profile_path = report->operands[2 * i + 1];
		status = read_pair(report, pair, error);
		if (status == STATUS_OK && release_of(pair) > report->release)
			report->release = release_of(pair);
	}
	if (report->llvm_release)
		report->release = report->llvm_release;
	if (status == STATUS_OK) {
		print_warnings_of_pairs(report);
		warn_of_repeated_dumps(report);
	}
	return status;
}
