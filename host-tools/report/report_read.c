/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_read.c - reads programs and profiles. Checks that the program and the profile of each pair belong together,
 * and that a coverage report can be made from them. Chooses the tools that read the profile.
 */
#include "elf_files.h"
#include "exit.h"
#include "indexed.h"
#include "raw_convert.h"
#include "raw_open.h"
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

/* Returns the index version of @bytes, or 0 if they are not an indexed profile. */
static uint64_t index_version(struct bytes bytes)
{
	bool indexed = detect_format(bytes) == FORMAT_INDEXED && bytes.size >= 16;

	return indexed ? load_uint(bytes.data + 8, 8, false) & BAREPROF_VERSION_NUMBER : 0;
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

/*
 * Fixes the records of weak duplicates. Otherwise, llvm-profdata would give these functions the counts of other
 * functions.
 */
static enum status fix_weak_duplicates(struct report_pair *pair, struct error *error)
{
	const struct raw_target same = {.version = pair->first.version};
	struct buffer *fixed = &pair->profile.fixed;
	enum status status = raw_convert(fixed, pair->profile.raw, &same, error);

	pair->profile.raw = (struct bytes){fixed->data, fixed->size};
	return status;
}

static enum status check_raws(struct report_pair *pair, struct error *error)
{
	struct bytes file = pair->profile.raw;
	enum status status = STATUS_OK;
	struct raw_profile raw;
	bool has_duplicates = false;
	uint64_t records = 0;
	size_t offset = 0;

	while (offset < file.size && status == STATUS_OK) {
		status = raw_open(&raw, file, offset, error);
		if (status == STATUS_OK)
			status = check_raw(pair, &raw, error);
		has_duplicates = has_duplicates || raw.weak_duplicates;
		raw_close(&raw);
		if (offset == 0)
			pair->first = raw;
		pair->records = pair->first.records;
		records += raw.records;
		offset = raw.end;
	}
	if (status == STATUS_OK && !records)
		return refuse_empty(error);
	return status == STATUS_OK && has_duplicates ? fix_weak_duplicates(pair, error) : status;
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
	const struct read_options options = {.add = {.weight = 1}};
	struct bytes bytes = pair->profile.input.bytes;
	uint64_t version = index_version(bytes);
	struct model model;
	enum status status;

	/*
	 * This bareprof cannot read the version, so it checks nothing. But the installed tools may be newer, and able
	 * to read it.
	 */
	if (version > INDEXED_NEWEST)
		return STATUS_OK;
	pair->profile.index_version = (unsigned int)version;
	model_start(&model);
	status = profile_read(&model, bytes, &options, error);
	if (status == STATUS_OK && model.variants & BAREPROF_VARIANT_IR)
		status = refuse_pgo(error);
	else if (status == STATUS_OK && !model.count)
		status = refuse_empty(error);
	if (status == STATUS_OK)
		model_sort(&model);
	if (status == STATUS_OK)
		status = check_merged_ids(pair, &model, error);
	model_free(&model);
	return status;
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

static enum status read_profile(struct report_profile *profile, const char *path,
	const struct completion_options *completion, struct error *error)
{
	enum status status = input_read(&profile->input, path, error);

	profile->raw = profile->input.bytes;
	if (status != STATUS_OK)
		return status;
	switch (detect_format(profile->raw)) {
	case FORMAT_INDEXED:
		profile->other = true;
		return STATUS_OK;
	case FORMAT_UNKNOWN:
		status = profile_unpack(&profile->dump, profile->raw, completion, error);
		profile->raw = (struct bytes){profile->dump.stream.data, profile->dump.stream.size};
		profile->other = status == STATUS_OK && !profile->raw.size;
		return status;
	default:
		return profile_raw(profile->raw, completion, NULL, &profile->raw, error);
	}
}

static enum status read_pair(struct report *report, struct report_pair *pair, struct error *error)
{
	const struct completion_options completion = {
		.programs = &pair->programs, .partial = report->partial, .report = &pair->report};
	enum status status = read_elf(report, pair, error);

	if (status != STATUS_OK)
		return status;
	status = programs_elf(&pair->programs, pair->elf_path, error);
	if (status != STATUS_OK)
		return status;
	report->subject = input_name(pair->profile_path);
	status = read_profile(&pair->profile, pair->profile_path, &completion, error);
	if (status == STATUS_OK)
		status = pair->profile.other ? check_other(pair, error) : check_raws(pair, error);
	if (status == STATUS_OK && !pair->elf.coverage_mapping) {
		report->subject = pair->elf_path;
		return refuse_without_mapping(pair->elf_path, error);
	}
	if (status == STATUS_OK)
		status = llvm_find(&pair->llvm, pair->first.version, pair->elf.clang, report->llvm_release, error);
	return status;
}

/* Returns whether a pair before @pair uses the same release and raw version. */
static bool is_repeated(const struct report *report, const struct report_pair *pair)
{
	const struct report_pair *other;

	for (other = report->pairs; other < pair; other++)
		if (other->llvm.major == pair->llvm.major && other->first.version == pair->first.version)
			return true;
	return false;
}

/* Prints the chosen tools, each of them once, and the warnings about the profiles. */
static void print_tools(struct report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		struct report_pair *pair = &report->pairs[i];
		struct buffer text = {0};

		if (pair->first.version)
			buffer_printf(&text, "raw version %u", pair->first.version);
		else
			buffer_add_text(&text, "indexed profiles and text");
		if (!is_repeated(report, pair) && pair->llvm.major == report->llvm->major)
			complain(NULL, "using %s and %s for %s%s", pair->llvm.profdata, pair->llvm.cov,
				buffer_string(&text),
				report->count > 1 ? " and for the report of all programs together" : "");
		else if (!is_repeated(report, pair))
			complain(NULL, "using %s for %s", pair->llvm.profdata, buffer_string(&text));
		buffer_free(&text);
	}
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
		if (status == STATUS_OK && (!report->llvm || pair->llvm.major > report->llvm->major))
			report->llvm = &pair->llvm;
	}
	if (status == STATUS_OK) {
		print_tools(report);
		warn_of_repeated_dumps(report);
	}
	return status;
}
