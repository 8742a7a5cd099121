/* SPDX-License-Identifier: BSD-2-Clause */
/* report_outputs.c - writes the table, the files, the HTML report, and the result of --diff and --fail-under. */
#include "report_outputs.h"
#include "arguments.h"
#include "child.h"
#include "cobertura.h"
#include "coverage_json.h"
#include "coverage_table.h"
#include "exit.h"
#include "report_compare.h"
#include "terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The first release whose MC/DC can be read. Clang 18 numbers test vectors in another way. */
#define MCDC_RELEASE 19

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

/* Returns whether an output is written to standard output. In this case, the table must not be printed. */
static bool is_piped(const struct report_outputs *outputs)
{
	return is_stdout(outputs->lcov_path) || is_stdout(outputs->cobertura_path) || is_stdout(outputs->json_path) ||
	       is_stdout(outputs->markdown_path);
}

/* Ends @output. An error is about @path. */
static enum status close_output(
	struct report *report, const char *path, struct output *output, enum status status, struct error *error)
{
	bool failed_before = status != STATUS_OK;

	status = output_close(output, status, error);
	if (status != STATUS_OK && !failed_before)
		report->subject = output_name(path);
	return status;
}

/* Writes what llvm-cov exports to @path. */
static enum status write_llvm_export(
	struct report *report, const char *path, const char *const *words, struct error *error)
{
	struct buffer text = {0};
	struct output output;
	enum status status = report_cov(report, "export", words, &text, error);

	if (status != STATUS_OK)
		return status;
	output_open(&output, path);
	output_put(&output, text.data, text.size);
	buffer_free(&text);
	return close_output(report, path, &output, STATUS_OK, error);
}

static enum status write_lcov(struct report *report, const struct report_outputs *outputs, struct error *error)
{
	const char *const words[] = {"-format=lcov", outputs->summary_only ? "-summary-only" : NULL, NULL};
	const struct lcov_options options = {.summary_only = outputs->summary_only};
	struct output output;

	if (outputs->with_llvm)
		return write_llvm_export(report, outputs->lcov_path, words, error);
	output_open(&output, outputs->lcov_path);
	return close_output(report, outputs->lcov_path, &output,
		coverage_lcov_write(&report->selection, &options, &output, error), error);
}

static enum status write_json(struct report *report, const struct report_outputs *outputs, struct error *error)
{
	/* Summaries have no expansions. */
	const char *const words[] = {"-format=text",
		outputs->summary_only      ? "-summary-only"
		: outputs->skip_expansions ? "-skip-expansions"
					   : NULL,
		NULL};
	const struct coverage_json_options options = {
		.summary_only = outputs->summary_only, .skip_expansions = outputs->skip_expansions};
	struct output output;

	if (outputs->with_llvm)
		return write_llvm_export(report, outputs->json_path, words, error);
	output_open(&output, outputs->json_path);
	coverage_json_write(&report->selection, &options, &output);
	return close_output(report, outputs->json_path, &output, STATUS_OK, error);
}

/*
 * Returns the milliseconds since 1970. If SOURCE_DATE_EPOCH is set, its time is returned,
 * so that reports are reproducible.
 */
static uint64_t milliseconds_now(void)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;
	struct timespec now;

	if (epoch && *epoch && argument_number(epoch, 0, UINT64_MAX / 1000, &seconds))
		return seconds * 1000;
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static enum status write_cobertura(struct report *report, const char *path, struct error *error)
{
	struct buffer xml = {0};
	struct output output;
	char *folder = realpath(".", NULL);
	enum status status = report_lcov(report, error);

	if (status == STATUS_OK) {
		cobertura_write(&xml, &report->lcov, folder ? folder : "/", milliseconds_now());
		output_open(&output, path);
		output_put(&output, xml.data, xml.size);
		status = close_output(report, path, &output, STATUS_OK, error);
	}
	buffer_free(&xml);
	free(folder);
	return status;
}

static enum status write_html(
	struct report *report, const struct report_outputs *outputs, bool mcdc, struct error *error)
{
	char *where = format("-output-dir=%s", outputs->html_folder);
	char *index = format("%s/index.html", outputs->html_folder);
	const char *const more[] = {"-format=html", where, mcdc ? "-show-mcdc" : NULL, "-show-mcdc-summary", NULL};
	enum status status = report_cov(report, "show", more, NULL, error);

	/* bareprof has already read the same mapping and profile, so they are rarely the reason. */
	if (status == STATUS_INVALID_INPUT)
		status = error_set(error, STATUS_SYSTEM,
			"%s cannot write the pages into %s, see its message above; check that the folder is writable "
			"and has room",
			report->llvm->cov, outputs->html_folder);
	if (status == STATUS_OK && access(index, R_OK))
		status = error_set(
			error, STATUS_SYSTEM, "llvm-cov has not written %s; check that the folder is writable", index);
	if (status == STATUS_OK && !is_piped(outputs))
		printf("%s\n", index);
	free(index);
	free(where);
	return status;
}

/* Prints the table or the views, and sets @total to the sum of all files. */
static enum status print_table(struct report *report, const struct report_outputs *outputs, bool mcdc,
	struct coverage_summary *total, struct error *error)
{
	const struct table_options options = {.columns = TABLE_COLUMNS | (mcdc ? 1u << RATE_CONDITIONS : 0),
		.colours = terminal_takes_escapes(STDOUT_FILENO)};
	const char *const words[] = {options.colours ? "-use-color=1"
				     : mcdc          ? "-show-mcdc-summary"
						     : NULL,
		options.colours && mcdc ? "-show-mcdc-summary" : NULL, NULL};
	struct buffer text = {0};
	enum status status = STATUS_OK;

	coverage_table(&report->selection, &options, &text, total);
	if (report_views_any(&outputs->views)) {
		buffer_free(&text);
		return is_piped(outputs) ? STATUS_OK : report_views_print(report, &outputs->views, error);
	}
	if (!is_piped(outputs) && outputs->with_llvm) {
		text.size = 0;
		status = report_cov(report, "report", words, &text, error);
	}
	if (status == STATUS_OK && !is_piped(outputs))
		fwrite(text.data, 1, text.size, stdout);
	fflush(stdout);
	/* A report of some of the files always has another number of functions. */
	if (status == STATUS_OK && !is_piped(outputs) && !source_filter_is_used(&report->filter))
		report_explain(report, total->rate[RATE_FUNCTIONS].total);
	buffer_free(&text);
	return status;
}

static enum status check_percent(struct report *report, const struct report_outputs *outputs, const char *what,
	struct lcov_rate lines, struct error *error)
{
	report->subject = report->pairs[0].elf_path;
	if ((double)lines.covered * 100 >= outputs->fail_under * (double)lines.valid)
		return STATUS_OK;
	return error_set(error, EXIT_BELOW_THRESHOLD,
		"%.2f %% of the %slines are covered (%" PRIu64 " of %" PRIu64 "), below %.10g %%",
		(double)lines.covered * 100 / (double)lines.valid, what, lines.covered, lines.valid,
		outputs->fail_under);
}

/* Returns whether the report can show MC/DC. If it cannot, prints the reason. */
static bool has_mcdc(const struct report *report)
{
	bool any = false;
	size_t i;

	for (i = 0; i < report->coverage.count && !any; i++)
		any = report->coverage.functions[i].summary.rate[RATE_CONDITIONS].total;
	if (!report->coverage.rules.has_mcdc)
		complain(NULL, "--show-mcdc: LLVM %u has no MC/DC; compile with clang %d or later", report->release,
			MCDC_RELEASE);
	else if (!report->coverage.rules.bitmap_by_vector)
		complain(NULL, "--show-mcdc: the MC/DC of LLVM %u cannot be read; compile with clang %d or later",
			report->release, MCDC_RELEASE);
	else if (!any)
		complain(NULL, "--show-mcdc: the profile has no MC/DC: compile with -fcoverage-mapping and "
			       "-fcoverage-mcdc; only decisions with several conditions have MC/DC");
	return report->coverage.rules.has_mcdc && any;
}

static enum status check_result(const struct report *report, const struct report_outputs *outputs, struct error *error)
{
	if (report->impossible && !outputs->allow_torn)
		return error_set(error, EXIT_WARNINGS,
			"the report has impossible counts, and shows counts of 2^63 or more as 0; to accept them, use "
			"--allow-torn");
	if (report->incomplete && !outputs->allow_incomplete)
		return error_set(error, EXIT_WARNINGS,
			"the report is incomplete, and the warnings say what it lacks; to accept such a report, use "
			"--allow-incomplete");
	return STATUS_OK;
}

static enum status write_files(
	struct report *report, const struct report_outputs *outputs, struct coverage_base *base, struct error *error)
{
	enum status status = STATUS_OK;

	if (outputs->lcov_path)
		status = write_lcov(report, outputs, error);
	if (status == STATUS_OK && outputs->json_path)
		status = write_json(report, outputs, error);
	if (status == STATUS_OK && outputs->cobertura_path)
		status = write_cobertura(report, outputs->cobertura_path, error);
	if (status == STATUS_OK && outputs->markdown_path)
		status = report_markdown(report, outputs->markdown_path, base, error);
	return status;
}

/* Warns of a release of --llvm whose rules are not known. With --with-llvm, llvm-cov itself counts. */
static void warn_of_release(const struct report *report, const struct report_outputs *outputs)
{
	unsigned int release = report->llvm_release;
	bool is_old = release < COVERAGE_RELEASE_OLDEST;

	if (release && !outputs->with_llvm && (is_old || release > COVERAGE_RELEASE_NEWEST))
		complain(NULL, "--llvm %u: report knows how LLVM %u to %u count, and counts as LLVM %u does", release,
			COVERAGE_RELEASE_OLDEST, COVERAGE_RELEASE_NEWEST,
			is_old ? COVERAGE_RELEASE_OLDEST : COVERAGE_RELEASE_NEWEST);
}

/* Writes all outputs. @base is the report to compare with, or NULL. */
static enum status write_all(
	struct report *report, const struct report_outputs *outputs, struct coverage_base *base, struct error *error)
{
	struct coverage_summary total;
	struct lcov_rate lines;
	enum status status = report_prepare(report, error);
	bool has_sources = false;
	bool mcdc = status == STATUS_OK && outputs->mcdc && has_mcdc(report);

	if (status == STATUS_OK && report->wants_llvm)
		status = report_tools(report, error);
	if (status == STATUS_OK)
		warn_of_release(report, outputs);
	if (status == STATUS_OK)
		status = print_table(report, outputs, mcdc, &total, error);
	if (status != STATUS_OK)
		return status;
	lines = (struct lcov_rate){total.rate[RATE_LINES].total, total.rate[RATE_LINES].covered};
	/*
	 * This call is for reports with HTML or without --diff. In all other reports, report_diff() itself looks for
	 * the sources.
	 */
	if (outputs->html_folder || !outputs->diff_base)
		report_sources(report, outputs->html_folder, &has_sources);
	if (outputs->html_folder && has_sources)
		status = write_html(report, outputs, mcdc, error);
	if (status == STATUS_OK)
		status = write_files(report, outputs, base, error);
	if (status == STATUS_OK && outputs->compare)
		status = report_compare(report, error);
	if (status == STATUS_OK && outputs->diff_base)
		status = report_diff(report, outputs->diff_base, !is_piped(outputs), &lines, error);
	if (status == STATUS_OK && outputs->fail_under >= 0)
		status = check_percent(report, outputs, outputs->diff_base ? "changed " : "", lines, error);
	return status == STATUS_OK ? check_result(report, outputs, error) : status;
}

enum status report_outputs_write(struct report *report, const struct report_outputs *outputs, struct error *error)
{
	struct coverage_base base = {0};
	enum status status = STATUS_OK;

	report->wants_llvm = outputs->with_llvm || outputs->compare || outputs->html_folder;
	report->wants_files = outputs->lcov_path || outputs->json_path || outputs->cobertura_path ||
	                      outputs->diff_base || outputs->compare;
	/* The base is read first, because the rest can take long. */
	if (outputs->base_path) {
		report->subject = input_name(outputs->base_path);
		status = coverage_base_read(&base, outputs->base_path, error);
	}
	if (status == STATUS_OK)
		status = write_all(report, outputs, outputs->base_path ? &base : NULL, error);
	coverage_base_free(&base);
	return status;
}

/*
 * Returns @path if it exists. Otherwise returns the nearest folder that exists and contains @path. The caller frees the
 * returned path.
 */
static char *nearest_folder(const char *path)
{
	char *folder = format("%s", path);
	char *slash;

	while (access(folder, F_OK) && (slash = strrchr(folder, '/')))
		*(slash == folder ? slash + 1 : slash) = '\0';
	if (!access(folder, F_OK))
		return folder;
	free(folder);
	return format(".");
}

/* Checks that llvm-cov can write into the folder of --html. */
static enum status check_html(const char *html_folder, struct error *error)
{
	char *folder = nearest_folder(html_folder);
	enum status status = STATUS_OK;
	struct stat about;

	if (is_stdout(html_folder))
		status = error_set(error, STATUS_USAGE, "is not a folder; --html writes several files: name a folder");
	else if (!stat(html_folder, &about) && !S_ISDIR(about.st_mode))
		status = error_set(error, STATUS_SYSTEM, "is not a folder; --html writes several files: name a folder");
	else if (stat(folder, &about) || !S_ISDIR(about.st_mode))
		status = error_set(error, STATUS_SYSTEM, "cannot be created: %s is not a folder", folder);
	else if (access(folder, W_OK | X_OK))
		status = error_set(
			error, STATUS_SYSTEM, "cannot be written to: %s; name another folder", strerror(errno));
	free(folder);
	return status;
}

/* Returns whether @path is one of the files that --html writes. */
static bool is_page(const char *html_folder, const char *path)
{
	static const char *const pages[] = {"index.html", "style.css", "control.js"};
	bool same = false;
	size_t i;

	for (i = 0; i < sizeof(pages) / sizeof(*pages) && !same; i++) {
		char *page = format("%s/%s", html_folder, pages[i]);

		same = output_same(path, page);
		free(page);
	}
	return same;
}

enum status report_outputs_check(struct report *report, const struct report_outputs *outputs, struct error *error)
{
	const char *const paths[] = {
		outputs->lcov_path, outputs->cobertura_path, outputs->json_path, outputs->markdown_path};
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	enum status status = STATUS_OK;
	uint64_t seconds;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths) && status == STATUS_OK; i++) {
		report->subject = paths[i];
		if (!paths[i] || is_stdout(paths[i]))
			continue;
		status = output_possible(paths[i], error);
		if (status == STATUS_OK && outputs->html_folder && is_page(outputs->html_folder, paths[i]))
			status = error_set(error, STATUS_USAGE, "is a file that --html writes, too; name another file");
	}
	if (status == STATUS_OK && outputs->base_path && !outputs->markdown_path) {
		report->subject = NULL;
		status = error_set(
			error, STATUS_USAGE, "--base needs --markdown FILE, the summary that shows the changes");
	}
	if (status == STATUS_OK && outputs->compare && report->filter.place_count) {
		report->subject = NULL;
		status = error_set(error, STATUS_USAGE,
			"--compare cannot compare a report with --sources, because llvm-cov takes the files in another "
			"order; leave out one of the two");
	}
	if (status == STATUS_OK && outputs->html_folder) {
		report->subject = outputs->html_folder;
		status = check_html(outputs->html_folder, error);
	}
	if (outputs->cobertura_path && epoch && *epoch && !argument_number(epoch, 0, UINT64_MAX / 1000, &seconds))
		complain(NULL, "SOURCE_DATE_EPOCH takes seconds since 1970, not '%s': the report gets the current time",
			epoch);
	if (outputs->fail_under > 0 && outputs->fail_under < 1)
		complain(NULL,
			"--fail-under takes a percentage, and %.10g means %.10g %%; for a fraction of 1, write the "
			"percentage: --fail-under %.10g",
			outputs->fail_under, outputs->fail_under, outputs->fail_under * 100);
	return status;
}
