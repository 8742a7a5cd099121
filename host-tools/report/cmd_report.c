/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_report.c - `bareprof report`: reports the coverage of programs, with an llvm-cov that can
 * read their profiles.
 */
#include "arguments.h"
#include "child.h"
#include "cobertura.h"
#include "commands.h"
#include "exit.h"
#include "output.h"
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define OPERANDS_MAX 1000

/* The first release whose llvm-cov shows MC/DC. */
#define MCDC_RELEASE 18

static const char *html_folder;
static const char *lcov_path;
static const char *cobertura_path;
static const char *json_path;
static const char *diff_base;
static double fail_under = -1; /* percent; below 0: not given */
static uint64_t llvm_release;
static const char *path_maps[OPTION_TIMES + 1];
static bool show_mcdc;
static bool partial;
static bool allow_torn;
static bool allow_incomplete;

static const struct option options[] = {
	{OPT_FILE("html", 0, "DIR", &html_folder, "write an HTML report into DIR")},
	{OPT_OUTPUT("lcov", 0, "FILE", &lcov_path, "write an LCOV file (for genhtml, Codecov)")},
	{OPT_OUTPUT("cobertura", 0, "FILE", &cobertura_path, "write Cobertura XML (for GitLab, Jenkins, Azure)")},
	{OPT_OUTPUT("json", 0, "FILE", &json_path, "write the JSON of llvm-cov export")},
	{OPT_FLAG("show-mcdc", 0, &show_mcdc, "show MC/DC in the table and the HTML report")},
	{OPT_TEXT("diff", 0, "BASE", &diff_base, "show coverage of the lines changed since git revision BASE")},
	{OPT_LIST("path-map", 0, "A=B", path_maps, "sources compiled in folder A are now in B; repeatable")},
	{OPT_FLAG("partial", 0, &partial, "accept an incomplete capture; keep the functions that arrived completely")},
	{OPT_FLAG("allow-torn", 0, &allow_torn, "exit with 0 in spite of impossible counts; they are shown as 0")},
	{OPT_FLAG("allow-incomplete", 0, &allow_incomplete, "exit with 0 in spite of missing functions or sources")},
	{OPT_PERCENT("fail-under", 0, "PERCENT", &fail_under, "exit with 6 if fewer lines are covered")},
	{OPT_NUMBER("llvm", 0, "N", &llvm_release, 10, 999, "use the tools of LLVM release N"),
		.invalid = "--llvm takes a release such as 16, not '%s'"},
	{OPT_END},
};

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

/* Returns whether an output is written to standard output. In this case, the table must not be printed. */
static bool is_piped(void)
{
	return is_stdout(lcov_path) || is_stdout(cobertura_path) || is_stdout(json_path);
}

/*
 * Writes @content to @path, or to standard output if @path is "-". This function does not report a failed write to
 * standard output, because main() reports it when the command ends.
 */
static enum status write_output(
	struct report *report, const char *path, const struct buffer *content, struct error *error)
{
	enum status status = STATUS_OK;

	if (is_stdout(path)) {
		fwrite(content->data, 1, content->size, stdout);
		return status;
	}
	status = output_write(path, (struct bytes){content->data, content->size}, error);
	if (status != STATUS_OK)
		report->subject = path;
	return status;
}

static enum status write_export(struct report *report, const char *path, const char *format_word, struct error *error)
{
	const char *const more[] = {format_word, NULL};
	struct buffer text = {0};
	enum status status = report_cov(report, "export", more, &text, error);

	if (status == STATUS_OK)
		status = write_output(report, path, &text, error);
	buffer_free(&text);
	return status;
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

static enum status write_cobertura(struct report *report, struct error *error)
{
	struct buffer xml = {0};
	char *folder = realpath(".", NULL);
	enum status status = report_lcov(report, error);

	if (status == STATUS_OK) {
		cobertura_write(&xml, &report->lcov, folder ? folder : "/", milliseconds_now());
		status = write_output(report, cobertura_path, &xml, error);
	}
	buffer_free(&xml);
	free(folder);
	return status;
}

static enum status write_html(struct report *report, bool mcdc, struct error *error)
{
	char *where = format("-output-dir=%s", html_folder);
	char *index = format("%s/index.html", html_folder);
	const char *const more[] = {"-format=html", where, mcdc ? "-show-mcdc" : NULL, "-show-mcdc-summary", NULL};
	enum status status = report_cov(report, "show", more, NULL, error);

	/* llvm-cov has already read the same files without an error, so writing the pages to their folder failed. */
	if (status == STATUS_INVALID_INPUT)
		status = error_set(error, STATUS_SYSTEM,
			"llvm-cov cannot write the pages into %s, see its message above; check that the folder is "
			"writable and has room",
			html_folder);
	if (status == STATUS_OK && access(index, R_OK))
		status = error_set(
			error, STATUS_SYSTEM, "llvm-cov has not written %s; check that the folder is writable", index);
	if (status == STATUS_OK && !is_piped())
		printf("%s\n", index);
	free(index);
	free(where);
	return status;
}

static enum status check_percent(struct report *report, const char *what, struct lcov_rate lines, struct error *error)
{
	report->subject = report->pairs[0].elf_path;
	if ((double)lines.covered * 100 >= fail_under * (double)lines.valid)
		return STATUS_OK;
	return error_set(error, EXIT_BELOW_THRESHOLD,
		"%.2f %% of the %slines are covered (%" PRIu64 " of %" PRIu64 "), below %.10g %%",
		(double)lines.covered * 100 / (double)lines.valid, what, lines.covered, lines.valid, fail_under);
}

/* Returns whether the report can show MC/DC. If it cannot, prints the reason. */
static bool has_mcdc(const struct report *report, struct lcov_rate conditions)
{
	if (report->llvm->major < MCDC_RELEASE)
		complain(NULL, "--show-mcdc: llvm-cov of LLVM %u cannot show MC/DC; compile with clang %d or later",
			report->llvm->major, MCDC_RELEASE);
	else if (!conditions.valid)
		complain(NULL, "--show-mcdc: the profile has no MC/DC: compile with -fcoverage-mapping and "
			       "-fcoverage-mcdc; only decisions with several conditions have MC/DC");
	return report->llvm->major >= MCDC_RELEASE && conditions.valid;
}

static enum status check_result(const struct report *report, struct error *error)
{
	if (report->impossible && !allow_torn)
		return error_set(error, EXIT_WARNINGS,
			"the report shows code with impossible counts as not covered; to accept such counts, use "
			"--allow-torn");
	if (report->incomplete && !allow_incomplete)
		return error_set(error, EXIT_WARNINGS,
			"the report is incomplete, and the warnings say what it lacks; to accept such a report, use "
			"--allow-incomplete");
	return STATUS_OK;
}

static enum status write_reports(struct report *report, struct error *error)
{
	struct lcov_rate conditions = {0, 0};
	struct lcov_rate lines = {0, 0};
	enum status status = report_prepare(report, error);
	bool has_sources = false;
	bool mcdc;

	if (status == STATUS_OK && (show_mcdc || (fail_under >= 0 && !diff_base) || !report->covmaps))
		status = report_totals(report, &lines, &conditions, error);
	if (status == STATUS_OK && !report->covmaps && !lines.valid)
		status = error_set(error, STATUS_INVALID_INPUT,
			"has no function that llvm-cov can show, so there is nothing to report; 'bareprof check' finds "
			"what the linker discarded");
	mcdc = status == STATUS_OK && show_mcdc && has_mcdc(report, conditions);
	if (status == STATUS_OK && !is_piped())
		status = report_table(report, mcdc, error);
	/*
	 * This call is for reports with HTML or without --diff. In all other reports, report_diff() itself looks for
	 * the sources.
	 */
	if (status == STATUS_OK && (html_folder || !diff_base))
		status = report_sources(report, html_folder, &has_sources, error);
	if (status == STATUS_OK && html_folder && has_sources)
		status = write_html(report, mcdc, error);
	if (status == STATUS_OK && lcov_path)
		status = write_export(report, lcov_path, "-format=lcov", error);
	if (status == STATUS_OK && json_path)
		status = write_export(report, json_path, "-format=text", error);
	if (status == STATUS_OK && cobertura_path)
		status = write_cobertura(report, error);
	if (status == STATUS_OK && diff_base)
		status = report_diff(report, diff_base, !is_piped(), &lines, error);
	if (status == STATUS_OK && fail_under >= 0)
		status = check_percent(report, diff_base ? "changed " : "", lines, error);
	if (status == STATUS_OK)
		status = check_result(report, error);
	return status;
}

static bool read_options(struct report *report)
{
	size_t i;

	report->llvm_release = (unsigned int)llvm_release;
	for (i = 0; i < OPTION_TIMES && path_maps[i]; i++)
		if (!path_map_parse(&report->maps[report->map_count++], path_maps[i])) {
			complain(NULL,
				"--path-map takes A=B, not '%s': A is the folder in which the sources were compiled, "
				"and B is the folder that has them now",
				path_maps[i]);
			return false;
		}
	return true;
}

/* Returns whether there is an ELF file at @path. Returns false for a pipe, without reading from it. */
static bool is_elf(const char *path)
{
	static const char magic[4] = "\177ELF";
	char start[sizeof(magic)];
	struct stat about;
	FILE *file = stat(path, &about) || !S_ISREG(about.st_mode) ? NULL : fopen(path, "rb");
	bool same = file && fread(start, sizeof(start), 1, file) && !memcmp(start, magic, sizeof(magic));

	if (file)
		fclose(file);
	return same;
}

static bool lacks_profile(const char *elf_path)
{
	complain(elf_path,
		"has no profile after it; usage: bareprof report [OPTIONS] ELF PROFILE... [ELF PROFILE...]...");
	return false;
}

/*
 * Makes pairs of program and profile from @operands. All profiles up to the next ELF file belong to the program before
 * them. If the first operand is not an ELF file, the second operand is used as its profile, even if that operand is not
 * a profile. report_read() then reports the error.
 */
static bool read_operands(struct report *report, char **operands)
{
	bool good_start = is_elf(operands[0]);
	char *elf = operands[0];
	size_t profiles = 0; /* number of profiles of @elf so far */
	size_t piped = 0;
	size_t i;

	for (i = 1; operands[i]; i++) {
		bool begins = (good_start || i > 1) && is_elf(operands[i]);

		if (begins && !profiles)
			return lacks_profile(elf);
		if (begins) {
			elf = operands[i];
			profiles = 0;
			continue;
		}
		profiles++;
		piped += !strcmp(operands[i], "-");
		report->operands[2 * report->count] = elf;
		report->operands[2 * report->count++ + 1] = operands[i];
	}
	if (!profiles && good_start)
		return lacks_profile(elf);
	if (!profiles) {
		complain(
			elf, "is not an ELF file; report needs a program and its profile: bareprof report ELF PROFILE");
		return false;
	}
	if (piped > 1) {
		complain(NULL, "only one profile can come from standard input");
		return false;
	}
	return true;
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
static enum status check_html(struct error *error)
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
static bool is_page(const char *path)
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

/* Checks that the outputs can be written, before the long work begins. */
static enum status check_outputs(struct report *report, struct error *error)
{
	const char *const paths[] = {lcov_path, cobertura_path, json_path};
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	enum status status = STATUS_OK;
	uint64_t seconds;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths) && status == STATUS_OK; i++) {
		report->subject = paths[i];
		if (!paths[i] || is_stdout(paths[i]))
			continue;
		status = output_possible(paths[i], error);
		if (status == STATUS_OK && html_folder && is_page(paths[i]))
			status = error_set(error, STATUS_USAGE, "is a file that --html writes, too; name another file");
	}
	if (status == STATUS_OK && html_folder) {
		report->subject = html_folder;
		status = check_html(error);
	}
	if (cobertura_path && epoch && *epoch && !argument_number(epoch, 0, UINT64_MAX / 1000, &seconds))
		complain(NULL, "SOURCE_DATE_EPOCH takes seconds since 1970, not '%s': the report gets the current time",
			epoch);
	if (fail_under > 0 && fail_under < 1)
		complain(NULL,
			"--fail-under takes a percentage, and %.10g means %.10g %%; for a fraction of 1, write the "
			"percentage: --fail-under %.10g",
			fail_under, fail_under, fail_under * 100);
	return status;
}

static enum status run(char **operands)
{
	struct path_map maps[OPTION_TIMES];
	char *pairs[2 * OPERANDS_MAX];
	struct report report = {.operands = pairs, .maps = maps, .partial = partial};
	struct error error;
	enum status status;

	if (!read_operands(&report, operands) || !read_options(&report))
		return STATUS_USAGE;
	catch_signals();
	status = check_outputs(&report, &error);
	if (status == STATUS_OK)
		status = report_read(&report, &error);
	if (status == STATUS_OK)
		status = write_reports(&report, &error);
	if (status != STATUS_OK && !caught_signal())
		error_print(report.subject, &error);
	report_free(&report);
	die_of_signal();
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "report coverage, with the llvm-cov that fits the program",
	.operands = "ELF PROFILE|-... [ELF PROFILE...]...",
	.operands_min = 1,
	.operands_max = OPERANDS_MAX,
	.help = "PROFILE is a .profraw, a capture or console log with a dump in it, or an indexed\n"
		".profdata. ELF and PROFILE must have the same build id. report prints a table, and\n"
		"writes more with its options. A FILE of - is standard output; then the table is\n"
		"not printed. A file is written completely or not at all, except in DIR, which\n"
		"llvm-cov writes. All profiles up to the next ELF file are added up.\n\n"
		"The LLVM tools are those of the release that compiled ELF, or else the newest\n"
		"that reads the profile's raw version. With several profiles, each is read by\n"
		"its own release, and the newest of these makes the report. A function that is the\n"
		"same in several programs counts once, with the sum of its counts. If its code, file\n"
		"or compiler differs, it is shown as a variant, 'name (2)', as llvm-cov shows the\n"
		"instances of a template: a line has the sum of all variants, and the totals of the\n"
		"table use the variant of which most ran.\n\n"
		"Cobertura counts lines as LCOV does, including lines of macros; the table does not\n"
		"count these. JSON is what llvm-cov export writes.\n\n"
		"Counts are impossible if they are 2^63 or more. llvm-cov shows a difference below 0\n"
		"as such a count. Differences are below 0 if the counters were copied while code\n"
		"counted (torn counts), because llvm-cov subtracts counts of different moments. A\n"
		"counter itself is 2^63 or more if it was not set to its start value, or if it was\n"
		"overwritten. report names the functions, shows impossible counts as 0, not covered,\n"
		"in all outputs, and exits with 7, or with 0 if --allow-torn is given. Torn counts\n"
		"whose differences are not below 0 cannot be found. To prevent torn counts, dump a\n"
		"masked snapshot, see docs/PORTING-DUMPS.md. In a ? b : (1 ? c : d), clang itself\n"
		"makes the count of d below 0. report shows 0 for this count, without a warning.\n\n"
		"A report is incomplete if a profile has functions that the programs lack or have with\n"
		"another control flow, or if none of the source files exists. report warns, makes\n"
		"the table and all files, and exits with 7, or with 0 if --allow-incomplete is given.\n"
		"It makes no HTML report without sources. A profile that was merged from this build\n"
		"and others is complete: report only names the functions of the other builds. If\n"
		"there is nothing to report, no file is written and the exit code is 1: the profile\n"
		"has no functions, or comes from another build or program; or the linker discarded\n"
		"__llvm_covfun or another section that llvm-cov reads. --fail-under does not change\n"
		"this.\n\n"
		"The table may have another number of functions than the profile (see show) and the\n"
		"records of the image (see check). report then says how many functions have no\n"
		"mapping, are not used, or have the same location as another function.\n\n"
		"--path-map applies to all output and to --diff. It replaces only whole names of\n"
		"folders, and uses the first A that fits. An A of . fits names that are not\n"
		"absolute.\n\n"
		"--diff asks git for the lines that differ from BASE, and lists those that did not\n"
		"run. It uses one work tree: that of the current folder if sources are in it, else\n"
		"that of the sources. It assumes that the files on disk are those that were\n"
		"compiled, and does not see files that git does not track. With --diff,\n"
		"--fail-under applies to the changed lines only, and passes if no changed line is\n"
		"executable.\n",
	.options = options,
	.run = run,
};
