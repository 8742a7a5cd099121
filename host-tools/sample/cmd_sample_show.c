/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_sample_show.c - `bareprof sample show`: where the time goes, by functions, lines or stacks. */
#include "commands.h"
#include "demangle.h"
#include "exit.h"
#include "output.h"
#include "pattern.h"
#include "sample_input.h"
#include "sample_show.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* A counter of a histogram that stands for more bytes than one instruction stands for more than one line. */
#define LINE_SHIFT_MAX 2u

static const char *pattern;
static const char *html_path;
static uint64_t top;
static bool by_line;
static bool by_block;
static bool folded;
static bool as_json;
static bool seen;
static bool mangled;
static bool partial;

static const struct option options[] = {
	{OPT_FLAG("lines", 0, &by_line, "list lines of source, from the debug information of ELF")},
	{OPT_FLAG("blocks", 0, &by_block, "also list the blocks of machine code, and how often they ran")},
	{OPT_FLAG("seen", 0, &seen, "list all functions, or with --lines all lines, also those that were not seen")},
	{OPT_FLAG("folded", 0, &folded, "print stacks in the folded form that tools for flame graphs read")},
	{OPT_OUTPUT("html", 0, "FILE", &html_path, "write a flame graph to FILE, as one page of HTML")},
	{OPT_TEXT("function", 0, "REGEX", &pattern, "only functions whose name matches REGEX (POSIX, extended)")},
	{OPT_NUMBER("top", 0, "N", &top, 1, UINT64_MAX, "only the first N functions or lines"),
		.invalid = "--top takes a number of 1 or more, not '%s'"},
	{OPT_FLAG("mangled", 0, &mangled, "print names as they are in the symbol table")},
	{OPT_FLAG("partial", 0, &partial, "leave out dumps that did not arrive completely")},
	{OPT_FLAG("json", 'j', &as_json, "print JSON instead of text")},
	{OPT_END},
};

/* qsort() passes no context to compare_functions(). */
static const struct sample_report *sorted;

/* Most samples first; then the address. */
static int compare_functions(const void *left, const void *right)
{
	size_t a = *(const size_t *)left;
	size_t b = *(const size_t *)right;
	const struct sample_tally *first = &sorted->tallies[a];
	const struct sample_tally *second = &sorted->tallies[b];

	if (first->samples != second->samples)
		return first->samples > second->samples ? -1 : 1;
	if (first->total != second->total)
		return first->total > second->total ? -1 : 1;
	return compare_uint(a, b);
}

/* Labels of assembly code and of linker scripts are listed only if they have samples. */
static bool is_listed(const struct sample_report *report, size_t index)
{
	const struct sample_function *function = &report->program->functions[index];
	const struct sample_tally *tally = &report->tallies[index];

	return report->matches[index] &&
	       (tally->total || (seen && report->program->symbols[function->alias]->function));
}

static void select_functions(struct sample_shown *shown)
{
	const struct sample_report *report = shown->report;
	size_t i;

	shown->functions = allocate(report->program->function_count, sizeof(*shown->functions));
	for (i = 0; i < report->program->function_count; i++)
		if (is_listed(report, i))
			shown->functions[shown->function_count++] = i;
	sorted = report;
	if (shown->function_count)
		qsort(shown->functions, shown->function_count, sizeof(*shown->functions), compare_functions);
	if (top && top < shown->function_count)
		shown->function_count = (size_t)top;
}

static enum status write_html(const struct sample_stacks *stacks, const char *elf)
{
	struct buffer html = {0};
	struct error error;
	enum status status;

	sample_flame_graph(&html, stacks, elf);
	status = output_write(html_path, (struct bytes){html.data, html.size}, &error);
	if (status != STATUS_OK)
		error_print(output_name(html_path), &error);
	buffer_free(&html);
	return status;
}

/* Makes the views that need the source of addresses: lines, folded stacks and the flame graph. */
static enum status show_places(struct sample_shown *shown, struct arena *arena)
{
	const struct sample_report *report = shown->report;
	size_t count;
	uint64_t *addresses = sample_addresses(report, &count);
	struct sample_lines lines;
	struct sample_stacks stacks;
	enum status status = STATUS_OK;

	if (!sample_lines_read(&lines, report->program, addresses, count)) {
		complain(report->program->path,
			"note: has no debug information, so lines and inlined functions are not known; compile with "
			"-g");
		if (seen && by_line)
			status = STATUS_INVALID_INPUT;
	}
	if (by_line && seen)
		sample_lines_seen(shown, &lines);
	else if (by_line)
		sample_lines_tally(shown, &lines, addresses, arena);
	if (status == STATUS_OK && (folded || html_path)) {
		sample_stacks_make(&stacks, report, &lines, addresses);
		if (html_path)
			status = write_html(&stacks, report->program->path);
		if (folded && status == STATUS_OK)
			sample_show_folded(&stacks);
		sample_stacks_free(&stacks);
	}
	if (status == STATUS_OK && !folded) {
		if (as_json)
			sample_show_json(shown);
		else if (seen)
			sample_show_seen(shown);
		else
			sample_show_text(shown);
	}
	sample_lines_free(&lines);
	free(addresses);
	return status;
}

static enum status check_options(const struct sample_report *report, const char *elf)
{
	if (pattern && report->program->function_count && !report->hit_count && !seen) {
		complain(elf, "has no function with samples whose name matches '%.200s' (--function)", pattern);
		return STATUS_INVALID_INPUT;
	}
	if (by_line && report->samples->shift > LINE_SHIFT_MAX) {
		complain(NULL,
			"--lines needs samples of addresses, but these come from a histogram with a counter for every "
			"%" PRIu64 " bytes; leave out --lines",
			(uint64_t)1 << report->samples->shift);
		return STATUS_INVALID_INPUT;
	}
	return STATUS_OK;
}

static enum status show_samples(
	const struct sample_program *program, const struct samples *samples, const regex_t *regex)
{
	struct sample_report report;
	struct sample_shown shown = {
		.report = &report, .has_lines = by_line, .seen = seen, .mangled = mangled, .top = top};
	struct arena arena = {0};
	enum status status;

	if (!program->function_count)
		complain(program->path, "note: has no symbols of functions; give the ELF file as it was before strip");
	sample_report_make(&report, program, samples, regex);
	status = check_options(&report, program->path);
	if (status == STATUS_OK) {
		if (report.mangled && !mangled)
			complain(NULL, DEMANGLE_MISSING);
		select_functions(&shown);
		if (by_block)
			shown.blocks = sample_blocks_make(program, samples);
		status = show_places(&shown, &arena);
	}
	sample_blocks_free(shown.blocks, program);
	free(shown.functions);
	free(shown.lines);
	arena_free(&arena);
	sample_report_free(&report);
	return status;
}

static enum status show(char **operands)
{
	struct sample_program program = {0};
	struct samples samples = {.partial = partial};
	regex_t regex;
	enum status status;

	if (folded && (as_json || by_line || seen)) {
		complain(NULL, "--folded cannot be combined with --json, --lines or --seen: give one of them");
		return STATUS_USAGE;
	}
	if (by_block && (folded || by_line || seen)) {
		complain(NULL, "--blocks cannot be combined with --folded, --lines or --seen: give one of them");
		return STATUS_USAGE;
	}
	if (pattern && !function_pattern(&regex, pattern))
		return STATUS_USAGE;
	status = sample_open(&program, operands[0]);
	if (status == STATUS_OK)
		status = sample_load_all(&samples, operands + 1, &program);
	if (status == STATUS_OK)
		status = show_samples(&program, &samples, pattern ? &regex : NULL);
	samples_free(&samples);
	sample_program_close(&program);
	if (pattern)
		regfree(&regex);
	return status;
}

const struct command command_sample_show = {
	.name = "sample show",
	.summary = "show where the time goes: hot functions, lines and stacks",
	.operands = "ELF INPUT...",
	.operands_min = 2,
	.operands_max = INT_MAX,
	.help = "ELF is the program that was sampled, as it was before strip. Each INPUT is a capture, a\n"
		"console log with dumps of samples, or a file of samples (.samples). show adds all of\n"
		"them, as 'bareprof sample merge' does, and refuses samples of another link.\n\n"
		"For each function, show prints its share of the samples, and a range of shares. If the\n"
		"run were sampled again and again, the range would contain the true share 95 times of\n"
		"100 (the Wilson score interval). So the range only shows how much chance there is in\n"
		"the numbers: timers that run in step with the sampled code make other errors. If the\n"
		"samples have return addresses, the column 'total' also has the samples in the functions\n"
		"that a function called. '[no function]' is code to which no symbol belongs.\n\n"
		"'Dropped' samples were overwritten before they were read, or the target had no memory\n"
		"for them. 'Outside' are samples that are not in the code of ELF, for example in user\n"
		"programs.\n\n"
		"A serial line may lose parts of a dump, and the target cannot send these samples again\n"
		"later. --partial leaves out such dumps, with a note.\n\n"
		"--seen is coverage by samples. A function or line that was not seen may have run\n"
		"between two samples. Only instrumentation can tell that code did not run.\n\n"
		"--blocks lists the blocks of machine code of each function, with their samples and with\n"
		"their runs, which are estimated from the samples and from the control flow between the\n"
		"blocks. 1 run stands for one sample of each instruction, so runs are only relative.\n\n"
		"--folded and --html show stacks from the outermost function on, with the functions that\n"
		"the compiler inlined. --html writes one file, which needs no network.\n\n"
		"docs/JSON.md describes the JSON.\n",
	.options = options,
	.run = show,
};
