/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_mip_report.c - `bareprof mip report`: which functions of each source file ran, as a table, LCOV and HTML. */
#include "commands.h"
#include "exit.h"
#include "mip_files.h"
#include "mip_load.h"

static const char *profile_path;
static const char *lcov_path;
static const char *html_path;
static double fail_under;

static const struct option options[] = {
	{OPT_FILE("profile", 'p', "PROFILE", &profile_path, "the machine profile; the same as the operand PROFILE")},
	{OPT_OUTPUT("lcov", 0, "FILE", &lcov_path, "write the functions to FILE in LCOV's format (FN and FNDA)")},
	{OPT_OUTPUT("html", 0, "FILE", &html_path, "write a page of HTML to FILE")},
	{OPT_PERCENT("fail-under", 0, "PERCENT", &fail_under, "fail if fewer than PERCENT of the functions ran")},
	{OPT_END},
};

static enum status write_reports(const struct mip_files *files, const char *title)
{
	struct buffer out = {0};
	enum status status = STATUS_OK;

	if (lcov_path) {
		mip_files_lcov(files, &out);
		status = mip_write(lcov_path, (struct bytes){out.data, out.size});
	}
	out.size = 0;
	if (html_path && status == STATUS_OK) {
		mip_files_html(files, title, &out);
		status = mip_write(html_path, (struct bytes){out.data, out.size});
	}
	buffer_free(&out);
	return status;
}

static enum status check_threshold(const struct mip_files *files)
{
	struct mip_file total = mip_files_total(files);
	double percent = total.count ? 100 * (double)total.ran / (double)total.count : 0;

	if (percent >= fail_under)
		return STATUS_OK;
	complain(NULL, "%.2f%% of the functions ran, which is below --fail-under %g", percent, fail_under);
	return EXIT_BELOW_THRESHOLD;
}

/* Returns whether a report goes to standard output, so that the table must not. */
static bool is_piped(void)
{
	return (lcov_path && lcov_path[0] == '-' && !lcov_path[1]) ||
	       (html_path && html_path[0] == '-' && !html_path[1]);
}

static void note_unknown(const struct mip_files *files)
{
	if (files->unknown)
		complain(NULL,
			"note: the report lacks %zu function%s whose counters are 0, because these counters are also 0 "
			"after each 256 runs; 'bareprof mip cc --mode blocks' makes bytes that show whether %s ran",
			files->unknown, files->unknown == 1 ? "" : "s", files->unknown == 1 ? "it" : "they");
}

static void note_copies(const struct mip_files *files)
{
	if (!files->copies)
		return;
	complain(NULL,
		"note: %zu function%s the name and line of another function, such as an inline function of a header; "
		"the report has one row for all such copies, and 'bareprof mip show' lists each of them",
		files->copies, files->copies == 1 ? " has" : "s have");
}

static enum status report_profile(const struct mip_profile *profile, const char *elf_path)
{
	struct mip_sources sources;
	struct mip_files files = {0};
	enum status status = mip_sources_read(&sources, profile, elf_path);

	if (status == STATUS_OK) {
		mip_files_make(&files, profile, &sources);
		status = write_reports(&files, elf_path);
	}
	if (status == STATUS_OK) {
		if (!is_piped())
			mip_files_table(&files);
		note_unknown(&files);
		note_copies(&files);
		status = check_threshold(&files);
	}
	mip_files_free(&files);
	mip_sources_free(&sources);
	return status;
}

static enum status report(char **operands)
{
	const char *path = profile_path ? profile_path : operands[1];
	struct mip_profile profile;
	enum status status;

	if (!path || (profile_path && operands[1])) {
		complain(NULL, "name one program and one machine profile: 'bareprof mip report ELF PROFILE'");
		return STATUS_USAGE;
	}
	status = mip_load(&profile, path);
	if (status == STATUS_OK)
		status = mip_require_runs(&profile, path);
	if (status == STATUS_OK)
		status = report_profile(&profile, operands[0]);
	mip_profile_free(&profile);
	return status;
}

const struct command command_mip_report = {
	.name = "mip report",
	.summary = "show which functions of each source file ran",
	.operands = "ELF [PROFILE]",
	.operands_min = 1,
	.operands_max = 2,
	.help = "PROFILE is a machine profile (.mip), and ELF is its program with debug information.\n"
		"report prints a table of the source files. A function without debug information belongs\n"
		"to the file '(unknown)'. Functions that are left out have a column of their own.\n"
		"Copies of a function, with the same name and line, count as one function. The report\n"
		"lacks a function if clang's counters do not show whether it ran: they are 0 before the\n"
		"first run, and also after each 256 runs.\n\n"
		"In LCOV and HTML, the count of a function is its number of calls. In mode 'coverage', it\n"
		"is the number of raw profiles in which the function ran.\n",
	.options = options,
	.run = report,
};
