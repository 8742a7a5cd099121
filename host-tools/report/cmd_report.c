/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_report.c - `bareprof report`: reports the coverage of programs. */
#include "arguments.h"
#include "child.h"
#include "commands.h"
#include "exit.h"
#include "report_outputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define OPERANDS_MAX 1000

static struct report_outputs outputs = {.fail_under = -1};
static uint64_t llvm_release;
static const char *path_maps[OPTION_TIMES + 1];
static const char *ignored[OPTION_TIMES + 1];
static const char *sources[OPTION_TIMES + 1];
static const char *shown[OPTION_TIMES + 1];
static uint64_t folder_rows = UINT64_MAX; /* UINT64_MAX: not given */
static bool partial;

static const struct option options[] = {
	{OPT_FILE("html", 0, "DIR", &outputs.html_folder, "write an HTML report into DIR")},
	{OPT_OUTPUT("lcov", 0, "FILE", &outputs.lcov_path, "write an LCOV file (for genhtml, Codecov)")},
	{OPT_OUTPUT(
		"cobertura", 0, "FILE", &outputs.cobertura_path, "write Cobertura XML (for GitLab, Jenkins, Azure)")},
	{OPT_OUTPUT("json", 0, "FILE", &outputs.json_path, "write the coverage as JSON, as llvm-cov export does")},
	{OPT_OUTPUT(
		"markdown", 0, "FILE", &outputs.markdown_path, "write a summary in Markdown (for the page of a job)")},
	{OPT_FILE("base", 0, "FILE", &outputs.base_path,
		"show the changes since FILE in the summary: earlier JSON or LCOV of report or llvm-cov")},
	{OPT_LIST("show", 0, "NAME", shown, "show the source of a file or function with its counts; repeatable")},
	{OPT_FLAG("uncovered", 0, &outputs.views.uncovered, "list what did not run as FILE:LINE: TEXT, for editors")},
	{OPT_FLAG("functions", 0, &outputs.views.functions, "list the functions, those with most missing lines first")},
	{OPT_NUMBER("folders", 0, "ROWS", &folder_rows, 0, 1000000,
		"show a tree of folders in about ROWS rows, with the worst folders open; 0: all open")},
	{OPT_FLAG("summary-only", 0, &outputs.summary_only, "print totals only; write LCOV and JSON with totals only")},
	{OPT_LIST(
		"ignore-filename", 0, "REGEX", ignored, "leave out source files whose name matches REGEX; repeatable")},
	{OPT_LIST("sources", 0, "PATH", sources, "take only this file, or the files in this folder; repeatable")},
	{OPT_FLAG("skip-expansions", 0, &outputs.skip_expansions,
		"leave out macro expansions, which make the JSON long")},
	{OPT_FLAG("with-llvm", 0, &outputs.with_llvm, "let llvm-cov make the table, the LCOV file and the JSON")},
	{OPT_FLAG(
		"compare", 0, &outputs.compare, "compare with llvm-cov; print the first difference, and exit with 7")},
	{OPT_FLAG("show-mcdc", 0, &outputs.mcdc, "show MC/DC in the table and the HTML report")},
	{OPT_TEXT("diff", 0, "BASE", &outputs.diff_base, "show coverage of the lines changed since git revision BASE")},
	{OPT_LIST("path-map", 0, "A=B", path_maps, "sources compiled in folder A are now in B; repeatable")},
	{OPT_FLAG("partial", 0, &partial, "accept an incomplete capture; keep the functions that arrived completely")},
	{OPT_FLAG("allow-torn", 0, &outputs.allow_torn,
		"exit with 0 in spite of impossible counts; they are shown as 0")},
	{OPT_FLAG("allow-incomplete", 0, &outputs.allow_incomplete,
		"exit with 0 in spite of missing functions or sources")},
	{OPT_PERCENT("fail-under", 0, "PERCENT", &outputs.fail_under, "exit with 6 if fewer lines are covered")},
	{OPT_NUMBER("llvm", 0, "N", &llvm_release, 10, 999, "count as LLVM release N does, and use its tools"),
		.invalid = "--llvm takes a release such as 16, not '%s'"},
	{OPT_END},
};

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
	outputs.views.show = shown;
	outputs.views.folders = folder_rows != UINT64_MAX;
	outputs.views.folder_rows = (size_t)folder_rows;
	outputs.views.totals = outputs.summary_only;
	return source_filter_start(&report->filter, ignored, sources);
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
	status = report_outputs_check(&report, &outputs, &error);
	if (status == STATUS_OK)
		status = report_read(&report, &error);
	if (status == STATUS_OK)
		status = report_outputs_write(&report, &outputs, &error);
	if (status != STATUS_OK && !caught_signal())
		error_print(report.subject, &error);
	report_free(&report);
	die_of_signal();
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "report coverage, with the numbers of the llvm-cov that fits the program",
	.operands = "ELF PROFILE|-... [ELF PROFILE...]...",
	.operands_min = 1,
	.operands_max = OPERANDS_MAX,
	.help = "PROFILE is a .profraw, a capture or console log with a dump in it, or an indexed or\n"
		"text profile. ELF and PROFILE must have the same build id. report prints a table, and\n"
		"writes more with its options. A FILE of - is standard output; then the table is not\n"
		"printed. A file is written completely or not at all, except the files in DIR, which\n"
		"llvm-cov writes. All profiles up to the next ELF file are added up.\n\n"
		"report reads the coverage mapping itself and needs no tool of LLVM. Releases of\n"
		"llvm-cov count differently. report counts as the release that compiled ELF does, or as\n"
		"the newest of these releases if there are several ELF files. --llvm N selects another\n"
		"release. --html needs llvm-cov. With --with-llvm, llvm-cov makes the table, LCOV and\n"
		"JSON, too. docs/DIFFERENCES.md lists what report does differently.\n\n"
		"A function that is the same in several programs counts once, with the sum of its\n"
		"counts. If its code, file or compiler differs, it is shown as a variant, 'name (2)',\n"
		"like an instantiation of a template: a line has the sum of all variants, and the totals\n"
		"of the table use the variant of which most ran.\n\n"
		"Cobertura counts lines as LCOV does, including lines of macros; the table does not\n"
		"count lines of macros. JSON has the format of llvm-cov export.\n\n"
		"Impossible counts have two causes. The first cause is that the counters were copied\n"
		"while code counted: the counts are torn. Then a difference of counters is below 0, that\n"
		"is, 2^63 or more, or the cases of a switch or the code after it ran more often than the\n"
		"switch. The second cause is that a counter was overwritten, or not set to its start\n"
		"value: then the counter itself is 2^63 or more. report names the functions, shows\n"
		"counts of 2^63 or more as 0, not covered, in all outputs, and exits with 7, or with 0\n"
		"if --allow-torn is given. Other torn counts cannot be found. To prevent torn counts,\n"
		"dump a masked snapshot, see docs/PORTING-DUMPS.md. In a ? b : (1 ? c : d), clang itself\n"
		"makes the count of d below 0. report shows 0 for this count, without a warning.\n\n"
		"A report is incomplete if a profile has functions that the programs lack or have with\n"
		"another control flow, or if none of the source files exists. report warns, makes the\n"
		"table and all files, and exits with 7, or with 0 if --allow-incomplete is given. It\n"
		"makes no HTML report without sources. Three kinds of functions are only named, and do\n"
		"not change the exit code: functions of other builds, if the profile was merged from\n"
		"this build and others; functions that objects of this build define with different\n"
		"control flow; and functions of the program that the profile lacks, because it was made\n"
		"with an option such as --partial or --sparse. The last are shown as not run. If there\n"
		"is nothing to report, no file is written and the exit code is 1: the profile has no\n"
		"functions, or comes from another build or program; or the linker discarded\n"
		"__llvm_covfun or another section of the mapping. With --fail-under, these exit codes\n"
		"are the same.\n\n"
		"The table, the profile (see show) and the records of the image (see check) may have\n"
		"different numbers of functions. report then says how many functions have no mapping,\n"
		"are not used, are not in the profile, or have the same location as another function.\n\n"
		"NAME of --show is the name of a source file, or the end of this name after a slash. Or\n"
		"it is the name of a function: mangled or not, with or without parameters, or its end\n"
		"after '::'. FILE:FUNCTION is the function in that file, or the function of a header\n"
		"that this file includes. Instantiations are shown together; the complete name of an\n"
		"instantiation, or FILE:FUNCTION, shows it alone. ! marks a line that did not run, and\n"
		"^^^ a piece of a line that did not run. --show, --uncovered, --functions, --folders and\n"
		"--summary-only replace the table. They have MC/DC without --show-mcdc, and names are\n"
		"demangled.\n\n"
		"--ignore-filename and --sources apply to all output, as -ignore-filename-regex and\n"
		"SOURCES of llvm-cov do. REGEX is an extended regular expression.\n\n"
		"--path-map applies to all output and to --diff. It replaces only whole names of\n"
		"folders, and uses the first A that fits. If A is '.', it fits all names that are not\n"
		"absolute.\n\n"
		"--diff asks git for the lines that differ from BASE, and lists those that did not run.\n"
		"It uses one work tree: the work tree of the current folder if sources are in it,\n"
		"otherwise the work tree of the sources. It assumes that the files on disk are those\n"
		"that were compiled, and does not see files that git does not track. With --diff,\n"
		"--fail-under applies to the changed lines only, and passes if no changed line is\n"
		"executable.\n",
	.options = options,
	.run = run,
};
