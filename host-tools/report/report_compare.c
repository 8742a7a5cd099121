/* SPDX-License-Identifier: BSD-2-Clause */
/* report_compare.c - compares texts of bareprof with those of llvm-cov, line by line. */
#include "report_compare.h"
#include "coverage_json.h"
#include "coverage_table.h"
#include "exit.h"

#include <stdio.h>

/* A line in a message has at most this many bytes. The JSON is one line, so the message shows the bytes at the difference. */
#define SHOWN 120

static enum status make_table(struct report *report, struct buffer *text, struct error *error)
{
	const struct table_options options = {.columns = TABLE_COLUMNS, .empty_files = true};
	struct coverage_summary total;

	(void)error;
	coverage_table(&report->selection, &options, text, &total);
	return STATUS_OK;
}

/* Ends @output, and appends its content to @text. */
static enum status take(struct output *output, enum status status, struct buffer *text, struct error *error)
{
	if (status == STATUS_OK)
		buffer_add(text, output->pending.data, output->pending.size);
	return output_close(output, status, error);
}

static enum status make_lcov(struct report *report, struct buffer *text, struct error *error)
{
	const struct lcov_options options = {.summary_only = false};
	struct output output;

	output_memory(&output);
	return take(&output, coverage_lcov_write(&report->selection, &options, &output, error), text, error);
}

static enum status make_json(struct report *report, struct buffer *text, struct error *error)
{
	const struct coverage_json_options options = {.skip_expansions = true};
	struct output output;

	output_memory(&output);
	coverage_json_write(&report->selection, &options, &output);
	return take(&output, STATUS_OK, text, error);
}

static const struct form {
	const char *name;
	enum status (*make)(struct report *report, struct buffer *text, struct error *error);
	const char *verb;
	const char *const words[3];
} forms[] = {
	{"table", make_table, "report", {NULL}},
	{"LCOV text", make_lcov, "export", {"-format=lcov", NULL}},
	{"JSON", make_json, "export", {"-format=text", "-skip-expansions", NULL}},
};

/* Sets *@at to the offset of the first byte that differs. Returns false if all are equal. */
static bool first_difference(const struct buffer *ours, const struct buffer *theirs, size_t *at)
{
	size_t size = ours->size < theirs->size ? ours->size : theirs->size;

	*at = 0;
	while (*at < size && ours->data[*at] == theirs->data[*at])
		(*at)++;
	return *at < ours->size || *at < theirs->size;
}

/* Returns the part of the line around the offset @at that a message shows. */
static struct bytes line_at(const struct buffer *text, size_t at)
{
	size_t start = at < text->size ? at : text->size;
	size_t end = start;

	while (start && text->data[start - 1] != '\n' && at - start < SHOWN / 2)
		start--;
	while (end < text->size && text->data[end] != '\n' && end - start < SHOWN)
		end++;
	return (struct bytes){text->data + start, end - start};
}

static size_t line_number(const struct buffer *text, size_t at)
{
	size_t number = 1;
	size_t i;

	for (i = 0; i < at && i < text->size; i++)
		number += text->data[i] == '\n';
	return number;
}

static void tell_difference(const char *name, const struct buffer *ours, const struct buffer *theirs, size_t at)
{
	struct bytes our_line = line_at(ours, at);
	struct bytes their_line = line_at(theirs, at);

	printf("%s: differs from line %zu on, byte %zu\n  bareprof: %.*s\n  llvm-cov: %.*s\n", name,
		line_number(ours, at), at, (int)our_line.size, (const char *)our_line.data, (int)their_line.size,
		(const char *)their_line.data);
}

enum status report_compare(struct report *report, struct error *error)
{
	enum status status = STATUS_OK;
	size_t differences = 0;
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(*forms) && status == STATUS_OK; i++) {
		struct buffer theirs = {0};
		struct buffer ours = {0};
		size_t at;

		status = forms[i].make(report, &ours, error);
		if (status == STATUS_OK)
			status = report_cov(report, forms[i].verb, forms[i].words, &theirs, error);
		if (status == STATUS_OK && first_difference(&ours, &theirs, &at)) {
			tell_difference(forms[i].name, &ours, &theirs, at);
			differences++;
		} else if (status == STATUS_OK) {
			printf("%s: the same as that of %s, %zu bytes\n", forms[i].name, report->llvm->cov, ours.size);
		}
		buffer_free(&theirs);
		buffer_free(&ours);
	}
	if (status == STATUS_OK && differences)
		return error_set(error, EXIT_WARNINGS,
			"the report differs from that of %s; docs/DIFFERENCES.md lists the known reasons",
			report->llvm->cov);
	return status;
}
