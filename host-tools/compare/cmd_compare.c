/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_compare.c - `bareprof compare`: tells whether a profile still fits another profile or a program, and how much the
 * counts of two profiles overlap.
 */
#include "commands.h"
#include "compare.h"
#include "elf_files.h"
#include "exit.h"
#include "pattern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool all;
static const char *pattern;
static uint64_t min_count = UINT64_MAX;
static uint64_t top;
static double fail_under = -1; /* percent; below 0: not given */
static const char *elf_paths[OPTION_TIMES + 1];
static const char *elf_folder;
static bool partial;
static bool as_json;

static const struct option options[] = {
	{OPT_FLAG("all", 'a', &all, "list all functions")},
	{OPT_TEXT("function", 0, "REGEX", &pattern, "list functions whose name matches REGEX (POSIX, extended)")},
	{OPT_NUMBER("min-count", 0, "N", &min_count, 0, UINT64_MAX - 1,
		 "list functions whose highest count in B is at least N"),
		.old_name = "value-cutoff"},
	{OPT_NUMBER("top", 0, "N", &top, 1, UINT64_MAX, "list at most N functions, those with the highest counts of A"),
		.invalid = "--top takes a number of 1 or more, not '%s'"},
	{OPT_PERCENT("fail-under", 0, "PERCENT", &fail_under, "exit with 6 if fewer counts of A fit B")},
	{OPT_LIST("elf", 0, "ELF", elf_paths, "the program, for profiles without records; may be repeated")},
	{OPT_FILE("elf-dir", 0, "DIR", &elf_folder, "search DIR and its subfolders for the program, by build id")},
	{OPT_FLAG("partial", 0, &partial, "accept an incomplete capture; keep the functions that arrived completely")},
	{OPT_FLAG("json", 'j', &as_json, "print JSON instead of text")},
	{OPT_END},
};

static const char *hashes_text(enum hashes hashes)
{
	return hashes == HASHES_V3 ? "of clang 11 to 21" : hashes == HASHES_V4 ? "of clang 22" : "of both kinds";
}

/* Warns if the clang that compiles B does not find the hashes of A. */
static void warn_of_hashes(const struct comparison *comparison)
{
	enum hashes a = comparison->a.hashes;

	if (comparison->upper_bits_ignored)
		complain(input_name(comparison->a.path),
			"warning: it has the hashes %s, but %s has the hashes %s: compare ignores the upper 4 "
			"bits, which hashes of clang 22 do not have; %s",
			hashes_text(a), input_name(comparison->b.path), hashes_text(comparison->b.hashes),
			a == HASHES_V4
				? "clang before 22 finds only small functions of A, so make A again with the clang "
				  "that compiles B"
				: "for clang 22, convert A with 'bareprof merge --pgo-hash v4'");
}

static void warn_of_sides(struct comparison *comparison)
{
	struct side *a = &comparison->a;
	struct side *b = &comparison->b;
	const struct side *cut = a->context_sensitive ? a : b;

	print_warnings(input_name(a->path), &a->report);
	print_warnings(input_name(b->path), &b->report);
	warn_of_hashes(comparison);
	if (cut->context_sensitive)
		complain(input_name(cut->path),
			"note: %" PRIu64 " context-sensitive functions are not compared, because %s has none",
			cut->context_sensitive, input_name(cut == a ? b->path : a->path));
	if (b->is_program && !b->program.declared && a->variants & BAREPROF_VARIANT_IR)
		complain(b->path,
			"warning: does not say whether it has IR counts as %s has, because it has no symbol "
			"__llvm_profile_raw_version; give the program with its symbol table",
			input_name(a->path));
}

/* Returns EXIT_BELOW_THRESHOLD after a message if fewer counts of A fit than --fail-under demands. */
static enum status check_threshold(const struct comparison *comparison)
{
	double fits = (double)comparison->of_a.counts[FIT_SAME];

	if (fail_under < 0 || fits * 100 >= fail_under * (double)comparison->a.sum)
		return STATUS_OK;
	complain(input_name(comparison->a.path),
		"%.3f %% of its counts fit %s, which is below --fail-under %.10g: run the program again and make a new "
		"profile",
		fits * 100 / (double)comparison->a.sum, input_name(comparison->b.path), fail_under);
	return EXIT_BELOW_THRESHOLD;
}

static enum status compare_read(struct comparison *comparison)
{
	struct error error;
	enum status status = sides_prepare(&comparison->a, &comparison->b, &error);

	if (status == STATUS_OK && fail_under >= 0 && !comparison->a.sum)
		status = error_set(&error, STATUS_INVALID_INPUT,
			"has no counts, so there is no share for --fail-under; give the profile of a run as A");
	if (status == STATUS_OK) {
		sides_follow_names(&comparison->a, &comparison->b);
		comparison->upper_bits_ignored = sides_ignore_upper_bits(&comparison->a, &comparison->b);
		compare_sides(comparison);
		compare_overlap(comparison);
		status = compare_select(comparison, &error);
	}
	if (status != STATUS_OK) {
		error_print(input_name(comparison->a.path), &error);
		return status;
	}
	warn_of_sides(comparison);
	if (as_json)
		compare_json(comparison);
	else
		compare_text(comparison);
	return check_threshold(comparison);
}

static enum status read_side(struct side *side, const char *path, const struct completion_options *completion)
{
	struct error error;
	enum status status = side_read(side, path, completion, &error);

	if (status != STATUS_OK)
		error_print(input_name(path), &error);
	return status;
}

/* Checks what can be checked before a file is read. */
static enum status check_arguments(char **operands)
{
	if (fail_under > 0 && fail_under < 1) {
		complain(NULL,
			"--fail-under takes a percentage, and %.10g means %.10g %%; for a fraction of 1, write the "
			"percentage: --fail-under %.10g",
			fail_under, fail_under, fail_under * 100);
		return STATUS_USAGE;
	}
	if (side_is_program(operands[0])) {
		complain(operands[0], "is a program; name the profile first, then the program");
		return STATUS_USAGE;
	}
	if (strcmp(operands[0], "-") || strcmp(operands[1], "-"))
		return STATUS_OK;
	complain(NULL, "standard input (-) is given more than once, but can be read only once");
	return STATUS_USAGE;
}

static enum status compare_files(char **operands, struct programs *programs)
{
	struct comparison comparison = {.choices = {.all = all, .min_count = min_count, .top = top}};
	struct completion_options completion = {.programs = programs, .partial = partial};
	regex_t regex;
	enum status status;

	if (pattern && !function_pattern(&regex, pattern))
		return STATUS_USAGE;
	comparison.choices.regex = pattern ? &regex : NULL;
	status = read_side(&comparison.a, operands[0], &completion);
	if (status == STATUS_OK) {
		status = read_side(&comparison.b, operands[1], &completion);
		if (status == STATUS_OK)
			status = compare_read(&comparison);
		side_free(&comparison.b);
	}
	side_free(&comparison.a);
	free(comparison.pairs);
	free(comparison.listed);
	if (pattern)
		regfree(&regex);
	return status;
}

static enum status compare(char **operands)
{
	struct programs programs;
	enum status status = check_arguments(operands);

	if (status != STATUS_OK)
		return status;
	programs_start(&programs);
	status = elf_files_open(&programs, elf_paths, elf_folder);
	if (status == STATUS_OK)
		status = compare_files(operands, &programs);
	programs_free(&programs);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "tell whether a profile still fits a newer one or a program",
	.operands = "A B",
	.operands_min = 2,
	.operands_max = 2,
	.help = "A is a profile, for example the one that -fprofile-use reads. B is a newer profile of\n"
		"the same sources, or a program that was compiled with instrumentation. Profiles may\n"
		"have any format that merge reads.\n\n"
		"A function of A fits B if B has a function of the same name, with the same\n"
		"structural hash and number of counters. It is changed if B has its name, but another\n"
		"hash or number of counters. It is gone if B does not have its name. A compiler that\n"
		"uses A for B ignores the counts of functions that do not fit: these counts are\n"
		"lost. compare prints the share of the functions and counts that fit. It lists the\n"
		"functions whose counts are lost, those with the highest counts first. --all,\n"
		"--function and --min-count list other functions. Without --top, text lists at most\n"
		"10 functions whose counts are lost; JSON lists all.\n\n"
		"If B is a profile, compare also prints how much the counts of both overlap, with the\n"
		"numbers of llvm-profdata overlap: the sum of the smaller of the two shares that each\n"
		"count has in its profile. docs/JSON.md describes the JSON.\n",
	.options = options,
	.run = compare,
};
