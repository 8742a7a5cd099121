/* SPDX-License-Identifier: BSD-2-Clause */
/* report_cov.c - runs llvm-cov, and reads its output. */
#include "child.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* A shell or the dynamic linker that cannot run a program exits with the status 126 or 127. */
#define CANNOT_RUN 126

/*
 * Runs a tool. If the tool fails, it prints the reason itself, and @error refers to the tool's message. If a signal
 * ended the tool, @error names the signal.
 */
enum status report_tool(const char *const *words, struct buffer *output, struct error *error)
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

bool report_is_repeated(const struct report *report, size_t i)
{
	size_t other;

	for (other = 0; other < i; other++)
		if (!strcmp(report->pairs[other].elf_path, report->pairs[i].elf_path))
			return true;
	return false;
}

bool report_is_one_program(const struct report *report)
{
	size_t i;

	for (i = 1; i < report->count; i++)
		if (strcmp(report->pairs[0].elf_path, report->pairs[i].elf_path) != 0)
			return false;
	return true;
}

enum status report_cov(
	struct report *report, const char *verb, const char *const *more, struct buffer *output, struct error *error)
{
	const char **words = allocate(report->count + 12, sizeof(*words));
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
		if (report_is_repeated(report, i))
			continue;
		objects[i] = format("-object=%s", report->pairs[i].object);
		words[n++] = objects[i];
	}
	words[n++] = profile;
	while (more && *more)
		words[n++] = *more++;
	status = report_tool(words, output, error);
	if (status == STATUS_OK && output && !output->size)
		status = error_set(error, STATUS_SYSTEM, "%s %s printed nothing; check that this program is llvm-cov",
			words[0], verb);
	for (i = 1; i < report->count; i++)
		free(objects[i]);
	free(objects);
	free(profile);
	free(words);
	return status;
}

/* Reads the number after the first @key in @text, which is JSON from llvm-cov. Returns false if there is no @key. */
static bool number_after(const char *text, const char *key, uint64_t *value)
{
	const char *at = text ? strstr(text, key) : NULL;

	if (at)
		*value = strtoull(at + strlen(key), NULL, 10);
	return at != NULL;
}

static bool rate_after(const char *totals, const char *key, struct lcov_rate *rate)
{
	const char *at = totals ? strstr(totals, key) : NULL;

	return number_after(at, "\"count\":", &rate->valid) && number_after(at, "\"covered\":", &rate->covered);
}

enum status report_totals(
	struct report *report, struct lcov_rate *lines, struct lcov_rate *conditions, struct error *error)
{
	static const char *const more[] = {"-summary-only", NULL};
	struct buffer text = {0};
	enum status status = report_cov(report, "export", more, &text, error);
	const char *totals = status == STATUS_OK ? strstr(buffer_string(&text), "\"totals\":") : NULL;

	*conditions = (struct lcov_rate){0, 0};
	if (status == STATUS_OK && !rate_after(totals, "\"lines\":", lines))
		status = error_set(error, STATUS_SYSTEM, "llvm-cov export printed no totals of lines");
	else if (status == STATUS_OK)
		/* llvm-cov before 18 prints no totals of conditions. */
		rate_after(totals, "\"mcdc\":", conditions);
	buffer_free(&text);
	return status;
}

enum status report_lcov(struct report *report, struct error *error)
{
	static const char *const more[] = {"-format=lcov", NULL};
	struct buffer text = {0};
	enum status status = STATUS_OK;

	if (report->lcov_read)
		return status;
	status = report_cov(report, "export", more, &text, error);
	if (status == STATUS_OK) {
		lcov_read(&report->lcov, (struct bytes){text.data, text.size});
		report->lcov_read = true;
	}
	buffer_free(&text);
	return status;
}
