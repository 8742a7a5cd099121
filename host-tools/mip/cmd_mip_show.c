/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_mip_show.c - `bareprof mip show`: lists the functions of a machine profile. */
#include "commands.h"
#include "demangle.h"
#include "exit.h"
#include "input.h"
#include "mip_load.h"
#include "mip_show.h"
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

enum sort {
	SORT_MAP, /* the order of the map */
	SORT_NAME,
	SORT_COUNT, /* most calls first */
	SORT_ORDER, /* first called first */
	SORT_ADDRESS,
};

static const char *profile_path;
static const char *elf_path;
static const char *pattern;
static unsigned int sort_key;
static uint64_t top;
static bool only_ran;
static bool not_ran;
static bool left_out;
static bool as_json;
static bool mangled;

static const char *const sort_keys[] = {
	[SORT_MAP] = "map",
	[SORT_NAME] = "name",
	[SORT_COUNT] = "count",
	[SORT_ORDER] = "order",
	[SORT_ADDRESS] = "address",
	NULL,
};

static const struct option options[] = {
	{OPT_FILE("profile", 'p', "PROFILE", &profile_path, "the machine profile; the same as the operand PROFILE")},
	{OPT_FILE("elf", 0, "ELF", &elf_path, "print source files and lines, from the debug information of ELF"),
		.old_name = "debug"},
	{OPT_TEXT("function", 0, "REGEX", &pattern, "only functions whose name matches REGEX (POSIX, extended)"),
		.old_name = "regex", .old_letter = 'r'},
	{OPT_CHOICE("sort", 0, "KEY", &sort_key, sort_keys, "sort by map, name, count, order or address")},
	{OPT_NUMBER("top", 0, "N", &top, 1, UINT64_MAX, "only the first N functions"),
		.invalid = "--top takes a number of 1 or more, not '%s'"},
	{OPT_FLAG("ran", 0, &only_ran, "only functions that ran")},
	{OPT_FLAG("not-run", 0, &not_ran, "only functions that did not run")},
	{OPT_FLAG("left-out", 0, &left_out, "list the functions without raw bytes, with the reasons")},
	{OPT_FLAG("mangled", 0, &mangled, "print names as they are in the symbol table")},
	{OPT_FLAG("json", 'j', &as_json, "print JSON instead of text")},
	{OPT_END},
};

/* qsort() passes no context to compare_shown(). */
static const struct mip_shown *sorted;

static int compare_by_key(size_t left, size_t right)
{
	const struct mip_function *a = &sorted->profile->functions[left];
	const struct mip_function *b = &sorted->profile->functions[right];

	switch (sort_key) {
	case SORT_NAME:
		return strcmp(sorted->sources->list[left].name, sorted->sources->list[right].name);
	case SORT_COUNT:
		return a->calls != b->calls ? compare_uint(b->calls, a->calls) : compare_uint(b->runs, a->runs);
	case SORT_ORDER:
		return mip_compare_orders(a, b);
	case SORT_ADDRESS:
		return compare_uint(a->address, b->address);
	default:
		return 0;
	}
}

static int compare_shown(const void *left, const void *right)
{
	size_t a = *(const size_t *)left;
	size_t b = *(const size_t *)right;
	int order = compare_by_key(a, b);

	return order ? order : compare_uint(a, b);
}

static bool is_shown(const struct mip_shown *shown, size_t index, const regex_t *regex)
{
	const struct mip_function *function = &shown->profile->functions[index];

	if (regex && regexec(regex, (const char *)function->name.data, 0, NULL, 0) &&
		regexec(regex, shown->sources->list[index].name, 0, NULL, 0))
		return false;
	if (!function->kinds)
		return left_out || as_json;
	return !left_out && !(only_ran && !mip_ran(function)) &&
	       !(not_ran && (mip_ran(function) || !mip_run_known(function)));
}

static void select_functions(struct mip_shown *shown, const regex_t *regex)
{
	size_t i;

	shown->list = allocate(shown->profile->count, sizeof(*shown->list));
	for (i = 0; i < shown->profile->count; i++)
		if (is_shown(shown, i, regex))
			shown->list[shown->count++] = i;
	sorted = shown;
	qsort(shown->list, shown->count, sizeof(*shown->list), compare_shown);
	if (top && top < shown->count)
		shown->count = (size_t)top;
}

static void print_profile(const struct mip_shown *shown)
{
	if (as_json)
		mip_show_json(shown);
	else if (left_out)
		mip_show_left_out(shown);
	else
		mip_show_text(shown);
}

static enum status show_profile(const struct mip_profile *profile, const char *path, const regex_t *regex)
{
	struct mip_sources sources;
	struct mip_shown shown = {
		.profile = profile, .sources = &sources, .has_elf = elf_path != NULL, .mangled = mangled};
	enum status status = mip_sources_read(&sources, profile, elf_path);

	if (status == STATUS_OK) {
		select_functions(&shown, regex);
		if (regex && !shown.count) {
			complain(input_name(path),
				"has %zu functions, but none of those to list matches '%.200s' (--function)",
				profile->count, pattern);
			status = STATUS_INVALID_INPUT;
		} else {
			if (sources.mangled && !mangled)
				complain(NULL, DEMANGLE_MISSING);
			print_profile(&shown);
		}
		free(shown.list);
	}
	mip_sources_free(&sources);
	return status;
}

static enum status show(char **operands)
{
	const char *path = profile_path ? profile_path : operands[0];
	struct mip_profile profile;
	regex_t regex;
	enum status status;

	if (!path || (profile_path && operands[0])) {
		complain(NULL, "name one machine profile: 'bareprof mip show PROFILE'");
		return STATUS_USAGE;
	}
	if (only_ran && not_ran) {
		complain(NULL, "--ran and --not-run cannot be combined: leave out both to list all functions");
		return STATUS_USAGE;
	}
	if (pattern && !function_pattern(&regex, pattern))
		return STATUS_USAGE;
	status = mip_load(&profile, path);
	if (status == STATUS_OK)
		status = show_profile(&profile, path, pattern ? &regex : NULL);
	mip_profile_free(&profile);
	if (pattern)
		regfree(&regex);
	return status;
}

const struct command command_mip_show = {
	.name = "mip show",
	.summary = "list functions: which ran, how often and in which order",
	.operands = "[PROFILE]",
	.operands_min = 0,
	.operands_max = 1,
	.help = "PROFILE is a machine profile (.mip). It can also be a map (.mipmap), or an ELF file\n"
		"with a map, in which no function has run yet.\n\n"
		"For each function, show prints whether it ran. In mode 'calls', show also prints the\n"
		"number of calls, and the order in which functions were first called: the first\n"
		"function has the order 1. If several raw profiles were merged, the order is the mean\n"
		"of their orders. Names are demangled.\n\n"
		"If blocks of code have bytes, show prints HOT for each block that ran, and COLD for\n"
		"each block that did not, in the order of the table of blocks. The first word is for the\n"
		"entry of the function. A dash stands for a block that did not run, or ran a multiple\n"
		"of 256 times: one of clang's counters does not show which.\n\n"
		"--sort order lists functions that did not run, or whose order is not known, last.\n"
		"docs/JSON.md describes the JSON.\n",
	.options = options,
	.run = show,
};
