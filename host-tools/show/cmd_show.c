/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_show.c - `bareprof show`: shows what is in a profile of any format. It reads and checks the
 * whole file first, so that it never shows a part of a bad file.
 */
#include "commands.h"
#include "elf_files.h"
#include "exit.h"
#include "input.h"
#include "mapped.h"
#include "pattern.h"
#include "raw_open.h"
#include "show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool all;
static bool as_json;
static bool covered;
static bool counts;
static bool values;
static bool bitmaps;
static bool traces;
static bool summary;
static const char *pattern;
static uint64_t top; /* 0: all */
static unsigned int sort_key = OPTION_NOT_CHOSEN;
static const char *elf_path;
static const char *elf_folder;
static bool partial;

static const char *const sort_keys[] = {
	[SORT_NAME] = "name",
	[SORT_COUNT] = "count",
	[SORT_HASH] = "hash",
	[SORT_ORDER] = "order",
	NULL,
};

static const struct option options[] = {
	{OPT_FLAG("all", 'a', &all, "list all functions")},
	{OPT_TEXT("function", 0, "REGEX", &pattern, "list functions whose name matches REGEX (POSIX, extended)")},
	{OPT_NUMBER("top", 0, "N", &top, 1, UINT64_MAX, "list the N functions with the highest counts"),
		.invalid = "--top takes a number of 1 or more, not '%s'"},
	{OPT_CHOICE("sort", 0, "KEY", &sort_key, sort_keys,
		"list functions by name, count, hash or order (of first calls)")},
	{OPT_FLAG("covered", 0, &covered,
		"print only the names of functions that ran; with --json, list these functions")},
	{OPT_FLAG("counts", 'c', &counts, "list functions with every counter")},
	{OPT_FLAG("values", 0, &values, "list functions with the values seen at each value site")},
	{OPT_FLAG("bitmaps", 0, &bitmaps, "list functions with the bitmaps of MC/DC")},
	{OPT_FLAG("traces", 0, &traces, "show the order of first calls, trace by trace")},
	{OPT_FLAG("summary", 0, &summary, "show how many counters make up each share of all counts")},
	{OPT_FILE("elf", 0, "ELF", &elf_path, "the program, for a profile without records")},
	{OPT_FILE("elf-dir", 0, "DIR", &elf_folder, "search DIR and its subfolders for the program, by build id")},
	{OPT_FLAG("partial", 0, &partial, "accept an incomplete capture; keep the functions that arrived completely")},
	{OPT_FLAG("json", 'j', &as_json, "print JSON instead of text")},
	{OPT_END},
};

static enum status read_choices(struct show_choices *choices, regex_t *regex)
{
	const bool is_sorted = sort_key != OPTION_NOT_CHOSEN;

	if (covered && !as_json && (counts || values || bitmaps || traces || summary)) {
		complain(NULL, "--covered prints only names; leave out the options that print more, or add --json");
		return STATUS_USAGE;
	}
	*choices = (struct show_choices){
		.functions = all || pattern || top || is_sorted || covered || counts || values || bitmaps,
		.covered = covered,
		.counts = counts,
		.values = values,
		.bitmaps = bitmaps,
		.traces = traces,
		.summary = summary,
		.top = top,
	};
	if (is_sorted)
		choices->sort = (enum show_sort)sort_key;
	else if (top)
		choices->sort = SORT_COUNT;
	if (pattern && !function_pattern(regex, pattern))
		return STATUS_USAGE;
	choices->regex = pattern ? regex : NULL;
	return STATUS_OK;
}

/*
 * Returns whether the user wants only totals. The totals of a raw profile are counted without a model, which is faster.
 */
static bool only_totals(const struct show_choices *choices)
{
	return !choices->functions && !choices->summary && !choices->traces;
}

/*
 * Opens all raw profiles of a file. If the file has only one profile, sets *@counted to true and stores the totals of
 * this profile in state->totals.
 */
static enum status open_raw(struct show_state *state, struct bytes bytes, bool *counted, struct error *error)
{
	size_t offset = 0;
	enum status status;

	while (offset < bytes.size) {
		struct raw_profile *raw;

		state->raw = array_grow(state->raw, state->raw_count, &state->raw_room, sizeof(*state->raw));
		raw = &state->raw[state->raw_count++];
		*counted = false;
		if (!offset && only_totals(&state->choices))
			status = totals_of_raw(&state->totals, raw, bytes, 0, counted, error);
		else
			status = raw_open(raw, bytes, offset, error);
		if (status == STATUS_OK)
			status = model_kind(&state->model, raw->version_word, error);
		if (status != STATUS_OK)
			return status;
		if (raw_correlated(raw) && !programs_any(state->completion.programs))
			state->correlated = true;
		/*
		 * The totals alone are not enough if the profile has traces, or if its records come from an ELF file.
		 * Only the model has traces and such records.
		 */
		if (raw_correlated(raw) || (raw->version_word & BAREPROF_VARIANT_TEMPORAL))
			*counted = false;
		offset = raw->end;
	}
	return STATUS_OK;
}

static enum status fill_model(struct show_state *state, struct bytes bytes, struct error *error)
{
	struct read_options options = {
		.add = {.weight = 1}, .completion = state->completion, .input_outlives_model = true};
	enum status status = profile_read(&state->model, bytes, &options, error);

	if (status != STATUS_OK)
		return status;
	model_sort(&state->model);
	totals_of_model(&state->totals, &state->model);
	if (state->choices.summary)
		show_summarize(state);
	if (!state->choices.functions)
		return STATUS_OK;
	status = show_select(state, error);
	if (status == STATUS_OK && pattern && !state->matched_count)
		status = error_set(error, STATUS_INVALID_INPUT,
			"has %zu functions, but none of their names matches '%.200s' (--function); --all lists them",
			state->model.count, pattern);
	return status;
}

/* Reads the profile in @bytes, which are either the whole file or the dump in the file. */
static enum status read_profile(struct show_state *state, struct bytes bytes, struct error *error)
{
	enum status status = STATUS_OK;
	bool counted = false;

	if (state->form == FORMAT_RAW)
		status = open_raw(state, bytes, &counted, error);
	if (state->form == FORMAT_INDEXED)
		status = indexed_head_read(&state->indexed, bytes, error);
	/* If the profile has no records, nothing else in it can be read. */
	if (status != STATUS_OK || counted || (state->correlated && only_totals(&state->choices)))
		return status;
	return fill_model(state, bytes, error);
}

static void print_profile(struct show_state *state)
{
	if (as_json)
		show_json(state);
	else
		show_text(state);
}

static enum status show_input(struct show_state *state, struct bytes bytes, struct error *error)
{
	struct dump_receiver dump = {0};
	struct error gone;
	enum status status = STATUS_OK;

	state->form = detect_format(bytes);
	if (state->form == FORMAT_UNKNOWN) {
		status = profile_unpack(&dump, bytes, &state->completion, error);
		if (dump.stream.size) {
			state->form = FORMAT_RAW;
			bytes = (struct bytes){dump.stream.data, dump.stream.size};
		}
	}
	if (status == STATUS_OK)
		status = read_profile(state, bytes, error);
	/* Another program may have truncated the mapped file. Then wrong bytes were read, perhaps without an error. */
	if (mapped_whole(&gone) != STATUS_OK) {
		*error = gone;
		status = STATUS_SYSTEM;
	}
	if (status == STATUS_OK)
		print_profile(state);
	dump_receiver_free(&dump);
	return status;
}

static enum status show_file(struct show_state *state, const char *path)
{
	struct input input = {0};
	struct bytes bytes;
	struct error error;
	enum status status = STATUS_OK;

	model_start(&state->model);
	/*
	 * The file is mapped only for totals. A list prints names from the input, so the input must not change before
	 * the list is printed.
	 */
	if (!only_totals(&state->choices) || !mapped_raw(path, &bytes)) {
		status = input_read(&input, path, &error);
		bytes = input.bytes;
	}
	if (status == STATUS_OK)
		status = show_input(state, bytes, &error);
	if (status != STATUS_OK)
		error_print(input_name(path), &error);
	else
		print_warnings(input_name(path), state->completion.report);
	model_free(&state->model);
	while (state->raw_count)
		raw_close(&state->raw[--state->raw_count]);
	free(state->raw);
	free(state->listed);
	mapped_end();
	input_free(&input);
	return status;
}

static enum status show(char **operands)
{
	const char *const paths[] = {elf_path, NULL};
	struct completion_report report = {0};
	struct programs programs;
	struct show_state state = {.completion = {.programs = &programs, .partial = partial, .report = &report}};
	regex_t regex;
	enum status status = read_choices(&state.choices, &regex);

	if (status != STATUS_OK)
		return status;
	programs_start(&programs);
	status = elf_files_open(&programs, paths, elf_folder);
	if (status == STATUS_OK)
		status = show_file(&state, operands[0]);
	programs_free(&programs);
	completion_report_free(&report);
	if (state.choices.regex)
		regfree(&regex);
	return status;
}

const struct command command_show = {
	.name = "show",
	.summary = "show what is in a profile",
	.operands = "FILE|-",
	.operands_min = 1,
	.operands_max = 1,
	.help = "FILE is a raw profile of any version and target, several joined raw profiles, an\n"
		"indexed profile, text, or a capture or log with a dump in it. show checks the whole\n"
		"file first, and refuses it with the reason if anything in it is wrong.\n\n"
		"Without options, show prints the kind, the build ids and the totals. Each of the\n"
		"first eight options lists functions. A function has run if any of its counters is\n"
		"not zero. If a file has several profiles, show adds up their functions, as merge\n"
		"does. --covered prints nothing else, for other programs.\n\n"
		"By the summary, clang decides which code is hot or cold. docs/JSON.md describes the JSON.\n",
	.options = options,
	.run = show,
};
