/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_mip_merge.c - `bareprof mip merge`: adds raw machine profiles of one link to a machine profile. */
#include "commands.h"
#include "elf_files.h"
#include "exit.h"
#include "input.h"
#include "mip_load.h"

#include <limits.h>
#include <string.h>

static const char *profile_path;
static const char *out_path;
static const char *elf_paths[OPTION_TIMES + 1];
static const char *elf_folder;

static const struct option options[] = {
	{OPT_FILE("profile", 'p', "PROFILE", &profile_path, "the machine profile to which the inputs are added")},
	{OPT_OUTPUT(
		"output", 'o', "OUT", &out_path, "write the result to OUT ('-': standard output; default: PROFILE)")},
	{OPT_LIST("elf", 0, "ELF", elf_paths,
		"start with the map of the program ELF instead of PROFILE; if repeated, the build id decides")},
	{OPT_FILE("elf-dir", 0, "DIR", &elf_folder, "search DIR and its subfolders for the program, by build id")},
	{OPT_END},
};

/* The result, and notes about the input that is added. */
struct merge {
	struct mip_profile profile;
	struct buffer note;
};

static enum status add_raw(void *context, const struct mip_raw *raw, const char *name)
{
	struct merge *merge = context;
	struct error error;
	enum status status = mip_merge_raw(&merge->profile, raw, &merge->note, &error);

	if (status != STATUS_OK)
		error_print(name, &error);
	return status;
}

static enum status add_profile(struct merge *merge, const char *path)
{
	struct mip_profile other;
	struct error error;
	enum status status = mip_load(&other, path);

	if (status == STATUS_OK) {
		status = mip_merge_profile(&merge->profile, &other, &merge->note, &error);
		if (status != STATUS_OK)
			error_print(input_name(path), &error);
	}
	mip_profile_free(&other);
	return status;
}

static enum status add_input(struct merge *merge, const char *path)
{
	bool is_profile = false;
	enum status status = mip_load_raws(path, &merge->profile, add_raw, merge, &is_profile);

	if (status == STATUS_OK && is_profile)
		status = add_profile(merge, path);
	if (status == STATUS_OK)
		mip_tell_notes(input_name(path), &merge->note);
	buffer_free(&merge->note);
	return status;
}

/* Appends the build id of @raw to @context, and stops reading. SYSTEM is not an error here, so nothing is printed. */
static enum status take_id(void *context, const struct mip_raw *raw, const char *name)
{
	struct buffer *id = context;

	(void)name;
	buffer_add(id, raw->id.data, raw->id.size);
	return id->size ? STATUS_SYSTEM : STATUS_OK;
}

/* Appends the build id of the first operand that has one to @id, which is empty. Errors: SYSTEM, INVALID_INPUT. */
static enum status find_id(char **operands, struct buffer *id)
{
	enum status status = STATUS_OK;

	for (; *operands && status == STATUS_OK && !id->size; operands++) {
		struct mip_profile profile = {0};
		bool is_profile = false;

		status = mip_load_raws(*operands, NULL, take_id, id, &is_profile);
		if (status == STATUS_OK && is_profile) {
			status = mip_load(&profile, *operands);
			buffer_add(id, profile.id.data, profile.id.size);
			mip_profile_free(&profile);
		}
	}
	return id->size ? STATUS_OK : status;
}

/* Reads the map of the ELF file that has the build id of the inputs. Standard input can be read only once. */
static enum status load_by_id(struct merge *merge, char **operands)
{
	struct programs programs;
	struct program *program;
	struct buffer id = {0};
	struct error error;
	enum status status = find_id(operands, &id);

	programs_start(&programs);
	if (status == STATUS_OK)
		status = elf_files_open(&programs, elf_paths, elf_folder);
	if (status == STATUS_OK) {
		status = programs_find(&programs, (struct bytes){id.data, id.size}, &program, &merge->note, &error);
		if (status != STATUS_OK)
			error_print(input_name(*operands), &error);
	}
	if (status == STATUS_OK)
		status = mip_load(&merge->profile, program->path);
	merge->note.size = 0;
	programs_free(&programs);
	buffer_free(&id);
	return status;
}

/* Reads the profile to which the inputs are added. Without PROFILE and ELF, the first input must be a profile. */
static enum status load_base(struct merge *merge, char ***operands)
{
	if (elf_folder || (elf_paths[0] && elf_paths[1]))
		return load_by_id(merge, *operands);
	if (profile_path || elf_paths[0])
		return mip_load(&merge->profile, profile_path ? profile_path : elf_paths[0]);
	return mip_load(&merge->profile, *(*operands)++);
}

static bool check_options(char **operands)
{
	for (; *operands; operands++)
		if (!strcmp(*operands, "-") && (elf_folder || (elf_paths[0] && elf_paths[1]))) {
			complain(NULL, "standard input can be read only once, so name one program with --elf");
			return false;
		}
	if (profile_path && (elf_paths[0] || elf_folder))
		complain(NULL, "--profile cannot be combined with --elf or --elf-dir: leave out --profile to start "
			       "with an empty profile");
	else if (!out_path && !profile_path)
		complain(NULL, "name the machine profile to write, with -o OUT or -p PROFILE");
	else if (!out_path && !strcmp(profile_path, "-"))
		complain(NULL, "a profile from standard input cannot be replaced: name the file to write, with -o OUT");
	else
		return true;
	return false;
}

static enum status merge(char **operands)
{
	struct merge merge = {0};
	enum status status;

	if (!check_options(operands))
		return STATUS_USAGE;
	status = load_base(&merge, &operands);
	for (; *operands && status == STATUS_OK; operands++)
		status = add_input(&merge, *operands);
	if (status == STATUS_OK)
		status = mip_write_profile(out_path ? out_path : profile_path, &merge.profile, BAREPROF_MIP_V9);
	mip_profile_free(&merge.profile);
	return status;
}

const struct command command_mip_merge = {
	.name = "mip merge",
	.summary = "add raw machine profiles of one link to a machine profile",
	.operands = "FILE...",
	.operands_min = 1,
	.operands_max = INT_MAX,
	.help = "FILE is a raw machine profile (.mipraw), a capture or log with dumps of machine\n"
		"profiles, or another machine profile (.mip). All must come from one link: merge\n"
		"compares build ids. If a build id is missing, merge compares sizes and addresses,\n"
		"and prints a note. A profile that 'mip convert' made from counters of clang can have\n"
		"other functions: then merge joins both by the names and addresses of functions.\n\n"
		"Calls are added up. For the order of first calls, the profile keeps the sum of the\n"
		"orders and their number, so 'bareprof mip show' prints the mean. If a log has several\n"
		"dumps of one boot without a reset between them, only the last of them is added.\n\n"
		"Without -o, PROFILE is replaced. Without -p and --elf, the first FILE must be a\n"
		"machine profile. After an error, nothing is written.\n",
	.options = options,
	.run = merge,
};
