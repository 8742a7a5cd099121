/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_cov.c - runs llvm-cov, for the HTML report, --with-llvm and --compare. It gets the merged profile and the
 * programs. Programs are copied if source files or functions have other names in the report, or if counts are impossible.
 */
#include "child.h"
#include "exit.h"
#include "indexed.h"
#include "mapping_write.h"
#include "options.h"
#include "output.h"
#include "raw_release.h"
#include "report.h"
#include "versions.h"

#include <stdlib.h>
#include <string.h>

/* A shell or the dynamic linker that cannot run a program exits with the status 126 or 127. */
#define CANNOT_RUN 126

/* The arguments of --ignore-filename and --sources together. */
#define FILTERS_MAX (2 * OPTION_TIMES)

/* Returns the raw version of @pair's profile, or that of the compiler if the profile is not raw. */
static unsigned int version_of(const struct report_pair *pair)
{
	return pair->first.version ? pair->first.version : raw_version_of_release(pair->elf.clang);
}

/* Returns whether @pair needs a later release of llvm-cov than @other. */
static bool is_newer(const struct report_pair *pair, const struct report_pair *other)
{
	unsigned int version = version_of(pair);
	unsigned int of_other = version_of(other);

	return version == of_other ? pair->elf.clang > other->elf.clang : version > of_other;
}

/* Finds the llvm-cov that fits the newest program. It reads older programs, too. */
static enum status find_tools(struct report *report, struct error *error)
{
	struct report_pair *newest = &report->pairs[0];
	enum status status;
	size_t i;

	for (i = 1; i < report->count; i++)
		if (is_newer(&report->pairs[i], newest))
			newest = &report->pairs[i];
	report->subject = newest->elf_path;
	status = llvm_find(&newest->llvm, version_of(newest), newest->elf.clang, report->llvm_release, error);
	report->llvm = &newest->llvm;
	if (status == STATUS_OK)
		complain(NULL, "using %s", report->llvm->cov);
	return status;
}

/* Writes the profile of the report in the newest index version that the tools read. */
static enum status write_profile(struct report *report, struct error *error)
{
	struct output output;
	enum status status;

	report->indexed = format("%s/dump.profdata", report->folder);
	output_open(&output, report->indexed);
	status = output_close(
		&output, indexed_write(report->model, index_version_of_release(report->llvm->major), &output), error);
	return status == STATUS_SYSTEM ? temporary_failed(report->indexed, error) : status;
}

/* Returns whether llvm-cov would show other names or counts than the report. */
static bool needs_copy(const struct report *report, const struct mapping *mapping)
{
	size_t i;

	for (i = 0; i < report->coverage.count; i++)
		if (report->coverage.functions[i].verdict != COUNTS_POSSIBLE)
			return true;
	return report->map_count || mapping->rename_count;
}

/*
 * Sets pair->object, the path by which llvm-cov gets the program. If the path begins with - or @, adds ./ before it.
 * Otherwise llvm-cov would read the path as an option, or as the name of a file with options.
 */
static enum status make_object(struct report *report, size_t i, struct error *error)
{
	struct report_pair *pair = &report->pairs[i];
	struct mapping_copy copy = {pair->mapping, &report->files, report->model, pair->elf_path, NULL};

	if (!needs_copy(report, pair->mapping)) {
		pair->object = format("%s%s", strchr("-@", *pair->elf_path) ? "./" : "", pair->elf_path);
		return STATUS_OK;
	}
	pair->object = format("%s/program%zu", report->folder, i);
	report->subject = pair->elf_path;
	copy.path = pair->object;
	return mapping_write(&copy, error);
}

enum status report_tools(struct report *report, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	if (report->indexed)
		return status;
	status = find_tools(report, error);
	if (status == STATUS_OK)
		status = temporary_folder(&report->folder, error);
	if (status == STATUS_OK)
		status = write_profile(report, error);
	for (i = 0; i < report->count && status == STATUS_OK; i++)
		status = make_object(report, i, error);
	if (status == STATUS_OK)
		report->subject = report->pairs[0].elf_path;
	return status;
}

void report_tools_free(struct report *report)
{
	size_t i;

	for (i = 0; i < report->count && report->pairs; i++) {
		llvm_free(&report->pairs[i].llvm);
		free(report->pairs[i].object);
	}
	free(report->indexed);
	temporary_remove(report->folder);
	free(report->folder);
}

/*
 * Runs a tool. If the tool fails, it prints the reason itself, and @error refers to the tool's message. If a signal
 * ended the tool, @error names the signal. @words ends with NULL.
 */
static enum status run_tool(const char *const *words, struct buffer *output, struct error *error)
{
	enum status status;
	int exit_status;

	/* execvp() does not change the words, but its parameter is not const. */
	status = child_run((char *const *)(uintptr_t)words, output, &exit_status, error);
	if (status == STATUS_OK && exit_status > 128)
		status = error_set(
			error, STATUS_SYSTEM, "%s %s was ended by signal %d", words[0], words[1], exit_status - 128);
	else if (status == STATUS_OK && exit_status)
		status = error_set(error, exit_status < CANNOT_RUN ? STATUS_INVALID_INPUT : STATUS_SYSTEM,
			"%s %s failed with status %d; see its message above", words[0], words[1], exit_status);
	return status;
}

/* Returns whether a pair before pair @i has the same program. */
static bool is_repeated(const struct report *report, size_t i)
{
	size_t other;

	for (other = 0; other < i; other++)
		if (report->pairs[other].mapping == report->pairs[i].mapping)
			return true;
	return false;
}

/* Adds the arguments for report->filter to @words, and stores those that must be freed in @made. */
static size_t add_filter(const struct report *report, const char **words, char **made)
{
	const char *const *ignored = report->filter.ignored_texts;
	const char *const *sources = report->filter.sources;
	size_t n = 0;
	size_t i;

	for (i = 0; ignored && ignored[i]; i++)
		made[n++] = format("-ignore-filename-regex=%s", ignored[i]);
	/* llvm-cov would read a path that begins with - or @ as an option, or as the name of a file with options. */
	for (i = 0; sources && sources[i]; i++)
		made[n++] = format("%s%s", strchr("-@", *sources[i]) ? "./" : "", sources[i]);
	for (i = 0; i < n; i++)
		words[i] = made[i];
	return n;
}

enum status report_cov(
	struct report *report, const char *verb, const char *const *more, struct buffer *output, struct error *error)
{
	const char **words = allocate(report->count + 16 + FILTERS_MAX, sizeof(*words));
	char *filters[FILTERS_MAX];
	size_t filter_count;
	char **objects = allocate(report->count, sizeof(*objects));
	char *profile = format("-instr-profile=%s", report->indexed);
	enum status status;
	size_t n = 0;
	size_t i;

	words[n++] = report->llvm->cov;
	words[n++] = verb;
	words[n++] = report->pairs[0].object;
	for (i = 1; i < report->count; i++) {
		/* An earlier pair has the same program, so the program is already an argument. */
		if (is_repeated(report, i))
			continue;
		objects[i] = format("-object=%s", report->pairs[i].object);
		words[n++] = objects[i];
	}
	words[n++] = profile;
	while (more && *more)
		words[n++] = *more++;
	filter_count = add_filter(report, words + n, filters);
	status = run_tool(words, output, error);
	if (status == STATUS_OK && output && !output->size)
		status = error_set(error, STATUS_SYSTEM, "%s %s printed nothing; check that this program is llvm-cov",
			words[0], verb);
	for (i = 1; i < report->count; i++)
		free(objects[i]);
	for (i = 0; i < filter_count; i++)
		free(filters[i]);
	free(objects);
	free(profile);
	free(words);
	return status;
}
