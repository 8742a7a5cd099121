/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_merge.c - `bareprof merge`: merges any number of profiles in any format into one.
 */
#include "arguments.h"
#include "commands.h"
#include "counts_warning.h"
#include "exit.h"
#include "hash_warning.h"
#include "input.h"
#include "mapped.h"
#include "merge_filter.h"
#include "merge_list.h"
#include "merge_messages.h"
#include "merge_progress.h"
#include "output.h"
#include "outputs.h"

#include <bareprof/profile.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *out_path;
static const char *list_path;
static const char *elf_paths[OPTION_TIMES + 1];
static const char *elf_folder;
static const char *left_out_path;
static bool partial;
static bool as_text;
static bool sparse;

static uint64_t release; /* 0: not given */
static uint64_t weight = 1;
static struct weighted {
	const char **list; /* arguments of --weighted-input: WEIGHT,FILE */
	size_t count;
	size_t room;
} weighted;
static struct merge_filter filter = {.keep = {.option = "--function"}, .drop = {.option = "--no-function"}};
static uint64_t jobs;
static struct shard {
	uint64_t number; /* number of the shard, from 0 on */
	uint64_t count; /* number of shards; 0: not given, take all functions */
} shard;

enum failure_mode {
	FAIL_ON_ANY,
	FAIL_ON_ALL,
	/*
	 * the command never fails because of single bad inputs, which it leaves out; it fails only if all inputs are
	 * bad
	 */
	FAIL_NEVER,
};
static const char *const modes[] = {"any", "all", "warn", NULL};
static unsigned int mode = FAIL_ON_ANY;

static const char *const hash_kinds[] = {"v4", NULL};
static unsigned int hash_kind = OPTION_NOT_CHOSEN;

#define JOBS_MAX   256
#define SHARDS_MAX 1000000

/* Parses "K/N": shard K of N. */
static bool parse_shard(const char *text, void *custom)
{
	const char *slash = strchr(text, '/');
	char *first = format("%.*s", (int)(slash ? slash - text : 0), text);
	struct shard *wanted = custom;
	uint64_t number = 0;
	bool valid = slash && argument_number(slash + 1, 1, SHARDS_MAX, &wanted->count) &&
	             argument_number(first, 1, wanted->count, &number);

	wanted->number = number - 1;
	free(first);
	return valid;
}

static bool add_weighted(const char *text, void *custom)
{
	struct weighted *all = custom;
	uint64_t unused;

	if (!merge_list_weighted(text, &unused))
		return false;
	all->list = array_grow(all->list, all->count, &all->room, sizeof(*all->list));
	all->list[all->count++] = text;
	return true;
}

static const struct option options[] = {
	{OPT_OUTPUT("output", 'o', "OUT", &out_path, "the profile to write ('-': standard output)")},
	{OPT_NUMBER("for-llvm", 0, "N", &release, 13, 999, "write the index version of LLVM release N (13 to 22)")},
	{OPT_FLAG("text", 0, &as_text, "write text (.proftext)")},
	{OPT_FILE("input-files", 'f', "LIST", &list_path, "also merge the files listed in LIST")},
	{OPT_NUMBER("weight", 0, "N", &weight, 1, WEIGHT_MAX, "count each FILE of the command line N times")},
	{OPT_CUSTOM("weighted-input", 0, "N,FILE", &weighted, add_weighted,
		 "also merge FILE, and count it N times; may be repeated"),
		.invalid = "--weighted-input takes N,FILE with a number N of 1 or more, not '%s'"},
	{OPT_CUSTOM("function", 0, "REGEX", &filter.keep, merge_filter_add,
		"keep only functions whose name matches REGEX (POSIX, extended); may be repeated")},
	{OPT_CUSTOM("no-function", 0, "REGEX", &filter.drop, merge_filter_add,
		"leave out functions whose name matches REGEX; may be repeated")},
	{OPT_LIST("elf", 0, "ELF", elf_paths, "the program, for profiles without records; may be repeated")},
	{OPT_FILE("elf-dir", 0, "DIR", &elf_folder, "search DIR and its subfolders for the program, by build id")},
	{OPT_FLAG("partial", 0, &partial, "accept an incomplete capture; keep the functions that arrived completely")},
	{OPT_OUTPUT("left-out", 0, "FILE", &left_out_path,
		"write to FILE the names of functions that --partial leaves out")},
	{OPT_FLAG("sparse", 0, &sparse, "leave out functions that never ran")},
	{OPT_CHOICE("failure-mode", 0, "MODE", &mode, modes,
		"any: fail if an input is bad (default); all: if all are bad; warn: only warn")},
	{OPT_CHOICE("pgo-hash", 0, "v4", &hash_kind, hash_kinds,
		 "convert function hashes of clang before 22 to hashes of clang 22"),
		.invalid = "--pgo-hash takes v4, the hashes of clang 22, not '%s'"},
	{OPT_CUSTOM("shard", 0, "K/N", &shard, parse_shard, "merge only shard K of N, chosen by the hashes of names"),
		.invalid = "--shard takes K/N with K from 1 to N, not '%s'"},
	{OPT_NUMBER(
		"jobs", 'j', "N", &jobs, 1, JOBS_MAX, "use N threads (default: depends on the size of the inputs)")},
	{OPT_END},
};

struct choices {
	struct bareprof_read_options reading;
	unsigned int release; /* 0: not given */
	bool to_v4;
};

static bool read_choices(struct choices *choices)
{
	if (!out_path) {
		complain(NULL, "name the file to write, with -o OUT");
		return false;
	}
	choices->release = (unsigned int)release;
	choices->to_v4 = hash_kind != OPTION_NOT_CHOSEN;
	choices->reading.jobs = (unsigned int)jobs;
	choices->reading.shard = (unsigned int)shard.number;
	choices->reading.shards = (unsigned int)shard.count;
	choices->reading.keep_going = mode != FAIL_ON_ANY;
	return true;
}

/* Refuses more than one input from standard input, which can be read only once. */
static enum status check_stdin_once(const struct merge_list *list)
{
	unsigned int times = list_path && !strcmp(list_path, "-");
	size_t i;

	for (i = 0; i < list->count; i++)
		times += !strcmp(list->inputs[i].path, "-");
	if (times <= 1)
		return STATUS_OK;
	complain(NULL, "standard input (-) is given more than once, but can be read only once");
	return STATUS_USAGE;
}

static enum status add_input(struct merge_list *list, const char *path, uint64_t times)
{
	struct error error;
	enum status status = merge_list_add(list, path, times, &error);

	if (status != STATUS_OK)
		error_print(path, &error);
	return status;
}

/* Adds the operands and the arguments of --weighted-input to @list. */
static enum status add_named_inputs(struct merge_list *list, char **operands)
{
	enum status status = STATUS_OK;
	size_t i;

	for (; *operands && status == STATUS_OK; operands++)
		status = add_input(list, *operands, weight);
	for (i = 0; i < weighted.count && status == STATUS_OK; i++) {
		uint64_t times;
		const char *path = merge_list_weighted(weighted.list[i], &times);

		status = add_input(list, path, times);
	}
	return status;
}

/* Fills @list with all inputs: those of the command line, then the files listed in --input-files. */
static enum status gather_inputs(struct merge_list *list, char **operands)
{
	enum status status = add_named_inputs(list, operands);
	struct error error;
	size_t i;

	if (status != STATUS_OK)
		return status;
	if (list_path) {
		status = merge_list_read(list, list_path, &error);
		if (status != STATUS_OK) {
			error_print(list_path, &error);
			return status;
		}
	}
	for (i = 0; i < list->count; i++)
		if (outputs_check_input(&command_merge, list->inputs[i].path) != STATUS_OK)
			return STATUS_USAGE;
	if (list->count)
		return check_stdin_once(list);
	complain(NULL, "there is nothing to merge; name files, or a list of them with -f");
	return STATUS_USAGE;
}

static enum status read_inputs(
	struct bareprof_profile *profile, const struct merge_list *list, const struct choices *choices)
{
	struct bareprof_read_options reading = choices->reading;
	struct bareprof_message message;
	struct merge_progress progress;
	enum status status;
	size_t bad;

	merge_progress_start(&progress, list->count);
	reading.progress = merge_progress_step;
	reading.context = &progress;
	status = (enum status)bareprof_profile_read_files(profile, list->inputs, list->count, &reading, &message);
	merge_progress_clear(&progress);
	bad = merge_print_bad(list, reading.keep_going);
	if (status == STATUS_OK) {
		merge_print_sentences(list, "warning", false);
		merge_print_sentences(list, "note", true);
	}
	if (status != STATUS_OK && !bad)
		complain(NULL, "%s", message.text);
	if (reading.keep_going && bad == list->count)
		complain(NULL, "no input is good: nothing was written");
	else if (status == STATUS_OK && bad)
		complain(NULL, "%zu of %zu inputs %s left out", bad, list->count, bad == 1 ? "was" : "were");
	return status;
}

static void print_notes(const struct bareprof_profile *profile)
{
	static const char *const text[BAREPROF_NOTES] = {
		[BAREPROF_NOTE_OVERFLOW] = "counts reached the maximum and stay there",
		[BAREPROF_NOTE_COUNTERS] = "the inputs have different numbers of counters for one function and hash; "
					   "merge took the counters with the larger number",
		[BAREPROF_NOTE_BITMAP] = "the inputs have bitmaps of different sizes for one function and hash; merge "
					 "took the larger bitmap",
		[BAREPROF_NOTE_SITES] = "the inputs have different numbers of value sites for one function and hash; "
					"merge took the sites with the larger number",
	};
	struct bareprof_bytes function;
	uint64_t times;
	unsigned int i;

	for (i = 0; i < BAREPROF_NOTES; i++) {
		times = bareprof_profile_note(profile, (enum bareprof_note)i, &function);
		if (times && text[i])
			complain(NULL, "warning: %s (%" PRIu64 " times, first in function %.*s)", text[i], times,
				(int)function.size, (const char *)function.data);
	}
	/* Weak duplicates are normal, so they cause a note and not a warning. */
	times = bareprof_profile_note(profile, BAREPROF_NOTE_WEAK_DUPLICATES, &function);
	if (times)
		complain(NULL,
			"note: the linker did not use %" PRIu64
			" duplicate definition%s of weak functions, for example of "
			"function %.*s; an unused definition counts as never run",
			times, times == 1 ? "" : "s", (int)function.size, (const char *)function.data);
}

/*
 * Prints a warning that names the contents of the profile that index @version cannot hold. If @version is 0, the file
 * format is text.
 */
static void print_unsupported(struct bareprof_profile *profile, unsigned int release, unsigned int version)
{
	struct bareprof_message lost;

	if (bareprof_profile_unsupported(profile, version, &lost) == BAREPROF_STATUS_OK)
		return;
	if (!version)
		complain(out_path, "warning: text cannot hold: %s; without --text everything is kept", lost.text);
	else if (release)
		complain(out_path, "warning: left out for LLVM %u: %s", release, lost.text);
	else
		complain(out_path, "warning: left out: %s", lost.text);
}

/*
 * Returns the index version to write. Prints a warning if clang would not find the functions in a file of this version.
 */
static unsigned int choose_version(struct bareprof_profile *profile, const struct choices *choices)
{
	unsigned int version = bareprof_profile_min_version(profile);

	if (choices->release)
		version = bareprof_index_version(choices->release);
	else if (choices->to_v4)
		version = HASH_V4_VERSION;
	hash_warning(out_path, choices->to_v4 ? BAREPROF_HASHES_V4 : bareprof_profile_hashes(profile), version);
	return version;
}

/*
 * mapped_path is the path of the first input. A merge maps an input into memory only if it has no other input, so the
 * mapped file is always the first input.
 * touched is true if another program changed the file while it was mapped.
 */
static const char *mapped_path;
static bool touched;

static bool map_input(const char *path, struct bareprof_bytes *bytes)
{
	struct bytes mapped;

	if (!mapped_raw(path, &mapped))
		return false;
	*bytes = (struct bareprof_bytes){mapped.data, mapped.size};
	return true;
}

static enum bareprof_status check_mapped(struct bareprof_message *message)
{
	struct error error = {""};
	enum status status = mapped_whole(&error);

	touched = status != STATUS_OK;
	snprintf(message->text, sizeof(message->text), "%s", error.text);
	return (enum bareprof_status)status;
}

static const struct bareprof_file_maps maps = {map_input, check_mapped};

static enum status write_profile(struct bareprof_profile *profile, const struct choices *choices)
{
	struct bareprof_message message;
	enum bareprof_status status;
	unsigned int version = 0;

	if (choices->to_v4) {
		bareprof_profile_hashes_to_v4(profile);
		complain(out_path,
			"warning: its hashes were converted for -fprofile-instr-use of clang 22; llvm-cov will not "
			"match them with a program that an older clang compiled");
	}
	/*
	 * Sort the functions before the notes are printed. Sorting finds the functions that occur twice, and a note
	 * contains their number.
	 */
	(void)bareprof_profile_functions(profile);
	status = (enum bareprof_status)merge_filter_apply(&filter, profile, shard.count != 0);
	if (status != BAREPROF_STATUS_OK)
		return (enum status)status;
	print_notes(profile);
	if (sparse)
		bareprof_profile_drop_zero(profile);
	if (!as_text)
		version = choose_version(profile, choices);
	print_unsupported(profile, choices->release, version);
	status = as_text ? bareprof_profile_write_text(profile, out_path, &message)
	                 : bareprof_profile_write_indexed(profile, out_path, version, &message);
	if (status != BAREPROF_STATUS_OK)
		complain(touched ? mapped_path : out_path, "%s", message.text);
	return (enum status)status;
}

/* Warns if the merged profile has counts that are impossible in one of the programs. */
static void warn_of_counts(void)
{
	struct stat about;
	size_t i;

	if (stat(out_path, &about) || !S_ISREG(about.st_mode))
		return;
	for (i = 0; elf_paths[i]; i++)
		counts_warning_file(elf_paths[i], out_path);
}

static enum status write_left_out(const struct bareprof_profile *profile)
{
	struct buffer text = {0};
	struct error error;
	enum status status;
	const char *name;
	size_t at = 0;

	while ((name = bareprof_profile_left_out(profile, &at)))
		buffer_printf(&text, "%s\n", name);
	status = output_write(left_out_path, (struct bytes){text.data, text.size}, &error);
	if (status != STATUS_OK)
		error_print(left_out_path, &error);
	buffer_free(&text);
	return status;
}

static enum status merge_all(struct bareprof_profile *profile, struct merge_list *list, const struct choices *choices)
{
	const char *const *path = elf_paths;
	struct bareprof_message message;
	enum status status = STATUS_OK;

	bareprof_profile_partial(profile, partial);
	for (; *path && status == STATUS_OK; path++) {
		status = (enum status)bareprof_profile_elf(profile, *path, &message);
		if (status != STATUS_OK)
			complain(*path, "%s", message.text);
	}
	if (elf_folder && status == STATUS_OK) {
		status = (enum status)bareprof_profile_elf_dir(profile, elf_folder, &message);
		if (status != STATUS_OK)
			complain(elf_folder, "%s", message.text);
	}
	if (status == STATUS_OK)
		status = read_inputs(profile, list, choices);
	if (status == STATUS_OK)
		status = write_profile(profile, choices);
	if (status == STATUS_OK)
		warn_of_counts();
	if (status == STATUS_OK && left_out_path)
		status = write_left_out(profile);
	return status;
}

static enum status merge(char **operands)
{
	struct merge_list list = {0};
	struct choices choices = {0};
	enum status status = merge_filter_compile(&filter);
	struct bareprof_profile *profile;

	if (status == STATUS_OK && !read_choices(&choices))
		status = STATUS_USAGE;
	if (status == STATUS_OK)
		status = gather_inputs(&list, operands);
	if (status == STATUS_OK) {
		profile = bareprof_profile_new();
		mapped_path = list.inputs[0].path;
		bareprof_profile_map_files(profile, &maps);
		status = merge_all(profile, &list, &choices);
		bareprof_profile_free(profile);
		mapped_end();
	}
	merge_list_free(&list);
	merge_filter_free(&filter);
	free(weighted.list);
	return status;
}

const struct command command_merge = {
	.name = "merge",
	.summary = "merge profiles into one",
	.operands = "-o OUT FILE...",
	.operands_min = 0,
	.operands_max = 1000000,
	.help = "FILEs are raw profiles of any version, indexed profiles, text, and captures or logs\n"
		"with a dump in them, in any mix. A folder stands for all files in it and its\n"
		"subfolders. The result does not depend on the order of the FILEs.\n\n"
		"A capture of counters needs the ELF file of the program that ran, from the same\n"
		"build: name it with --elf, or let merge find it by its build id in DIR/.build-id or\n"
		"anywhere in DIR. With --partial, an incomplete capture gives the functions that\n"
		"arrived completely. The other functions do not count as 0: they are left out and\n"
		"named. All values are left out. If the target had no room for some values, a warning\n"
		"says so.\n\n"
		"OUT gets the lowest index version that loses nothing, so that as many releases as\n"
		"possible can read it. Without --pgo-hash, hashes of functions stay as they are. Each\n"
		"line of LIST is PATH or WEIGHT,PATH. --weight does not change the weights in LIST and\n"
		"in --weighted-input.\n\n"
		"--function and --no-function search in mangled names. Both may be given: then the\n"
		"functions that --no-function names are left out of those that --function keeps. It is\n"
		"an error if a REGEX matches no name, except with --shard.\n\n"
		"If there are more than 100 temporal traces, 100 are kept; their contents decide\n"
		"which. A memory profile (memprof) is kept if one input has it and it can stay at\n"
		"its offset in the file; otherwise it is left out with a warning.\n\n"
		"Unlike llvm-profdata, merge multiplies both counts and values by weights, does not\n"
		"mix front-end and IR profiles, and treats an empty file as an error. If inputs have\n"
		"different numbers of counters for a function, the larger number wins.\n",
	.options = options,
	.run = merge,
};
