/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_convert.c - `bareprof convert`: converts a profile to another file format or version
 * without loss, or writes nothing.
 */
#include "arguments.h"
#include "commands.h"
#include "exit.h"
#include "hash_warning.h"
#include "input.h"
#include "output.h"

#include <bareprof/layout.h>
#include <bareprof/profile.h>
#include <stdlib.h>
#include <string.h>

static const char *out_path;
static const char *elf_path;
static const char *elf_folder;
static bool partial;
static bool drop_build_ids;

enum format {
	FORMAT_RAW,
	FORMAT_INDEXED,
	FORMAT_TEXT,
	FORMATS,
};

/* The output format that was asked for. */
static struct request {
	enum format format; /* FORMATS: not given */
	uint64_t version; /* 0: not given */
	uint64_t release; /* 0: not given */
} request = {.format = FORMATS};

#define NUMBER_MAX   999
#define WHAT_TO_MAKE "name the output format: --to raw:N, --to indexed, --to indexed:N or --to text"

static bool parse_form(const char *text, void *custom)
{
	static const char *const names[FORMATS] = {"raw", "indexed", "text"};
	struct request *wanted = custom;
	unsigned int i;

	for (i = 0; i < FORMATS; i++) {
		size_t n = strlen(names[i]);

		if (strncmp(text, names[i], n) || (text[n] && text[n] != ':'))
			continue;
		wanted->format = (enum format)i;
		wanted->version = 0;
		return !text[n] || (i != FORMAT_TEXT && argument_number(text + n + 1, 1, NUMBER_MAX, &wanted->version));
	}
	return false;
}

static const struct option options[] = {
	{OPT_OUTPUT("output", 'o', "OUT", &out_path, "the file to write ('-': standard output)")},
	{OPT_CUSTOM("to", 0, "FORM", &request, parse_form, "raw, indexed or text; raw:N or indexed:N for version N"),
		.invalid = WHAT_TO_MAKE ", not '%s'"},
	{OPT_NUMBER("for-llvm", 0, "N", &request.release, 1, NUMBER_MAX, "the version that LLVM release N reads"),
		.invalid = "--for-llvm takes the number of a release, not '%s'"},
	{OPT_FILE("elf", 0, "ELF", &elf_path, "the program, for a profile without records")},
	{OPT_FILE("elf-dir", 0, "DIR", &elf_folder, "search DIR and its subfolders for the program, by build id")},
	{OPT_FLAG("partial", 0, &partial, "accept an incomplete capture; keep the functions that arrived completely")},
	{OPT_FLAG("drop-build-ids", 0, &drop_build_ids, "leave out the build ids")},
	{OPT_END},
};

static bool check_request(void)
{
	unsigned int release = (unsigned int)request.release;

	if (!out_path) {
		complain(NULL, "name the file to write, with -o OUT");
		return false;
	}
	if (request.format == FORMATS) {
		complain(NULL, WHAT_TO_MAKE);
		return false;
	}
	if (request.format == FORMAT_RAW ? request.version || bareprof_raw_version(release)
					 : !release || bareprof_index_version(release))
		return true;
	if (release)
		complain(NULL, "the version that LLVM %u reads is unknown; choose a version with --to", release);
	else
		complain(NULL, "each llvm-profdata reads one raw version: choose this version with --to raw:N or "
			       "--for-llvm N");
	return false;
}

/* Prints @message if @status is an error. */
static enum status complain_of(const char *path, enum bareprof_status status, const struct bareprof_message *message)
{
	if (status != BAREPROF_STATUS_OK)
		complain(input_name(path), "%s", message->text);
	return (enum status)status;
}

/*
 * Prints @message, which is about an input. It is printed as an error if @status is an error, otherwise as a warning.
 */
static enum status complain_of_input(
	const char *path, enum bareprof_status status, const struct bareprof_message *message)
{
	if (status == BAREPROF_STATUS_OK && message->text[0])
		complain(input_name(path), "warning: %s", message->text);
	return complain_of(path, status, message);
}

static enum status convert_raw(const char *path)
{
	const struct bareprof_raw_target target = {.version = (unsigned int)request.version,
		.release = (unsigned int)request.release,
		.elf = elf_path,
		.elf_dir = elf_folder,
		.partial = partial,
		.drop_build_ids = drop_build_ids};
	struct bareprof_memory raw = {NULL, 0};
	struct bareprof_message message;
	struct input input;
	struct error error;
	enum status status = input_read(&input, path, &error);

	if (status != STATUS_OK) {
		error_print(input_name(path), &error);
		return status;
	}
	status = complain_of_input(
		path, bareprof_convert_raw(&raw, input.bytes.data, input.bytes.size, &target, &message), &message);
	input_free(&input);
	if (status == STATUS_OK) {
		status = output_write(out_path, (struct bytes){raw.data, raw.size}, &error);
		if (status != STATUS_OK)
			error_print(out_path, &error);
	}
	bareprof_memory_free(&raw);
	return status;
}

static enum status choose_version(struct bareprof_profile *profile, unsigned int *version)
{
	unsigned int release = (unsigned int)request.release;

	*version = (unsigned int)request.version;
	if (!*version)
		*version = release ? bareprof_index_version(release) : bareprof_profile_min_version(profile);
	if (release && *version > bareprof_index_version(release)) {
		complain(NULL, "LLVM %u does not read index version %u, only versions up to %u", release, *version,
			bareprof_index_version(release));
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

/* Fails if the output format cannot hold everything in the profile. */
static enum status check_losses(struct bareprof_profile *profile, const char *path, unsigned int version)
{
	struct bareprof_message lost;

	if (bareprof_profile_unsupported(profile, version, &lost) == BAREPROF_STATUS_OK)
		return STATUS_OK;
	if (!version)
		complain(input_name(path), "cannot be converted to text, because text cannot hold %s; use --to indexed",
			lost.text);
	else
		complain(input_name(path),
			"cannot be converted to index version %u, because this version cannot hold %s%s; "
			"'bareprof merge' leaves out what does not fit, with a warning",
			version, lost.text,
			strstr(lost.text, "build ids") ? " (--drop-build-ids leaves those out)" : "");
	return STATUS_INVALID_INPUT;
}

static enum status write_profile(struct bareprof_profile *profile, const char *path)
{
	struct bareprof_message message;
	unsigned int version = 0;
	enum status status = STATUS_OK;

	if (drop_build_ids)
		bareprof_profile_drop_build_ids(profile);
	if (request.format != FORMAT_TEXT)
		status = choose_version(profile, &version);
	if (status == STATUS_OK)
		status = check_losses(profile, path, version);
	if (status != STATUS_OK)
		return status;
	if (request.format == FORMAT_TEXT)
		return complain_of(out_path, bareprof_profile_write_text(profile, out_path, &message), &message);
	hash_warning(out_path, bareprof_profile_hashes(profile), version);
	return complain_of(out_path, bareprof_profile_write_indexed(profile, out_path, version, &message), &message);
}

static enum status convert_other(const char *path)
{
	struct bareprof_profile *profile = bareprof_profile_new();
	struct bareprof_message message;
	enum status status = STATUS_OK;

	if (elf_path)
		status = complain_of(elf_path, bareprof_profile_elf(profile, elf_path, &message), &message);
	if (elf_folder && status == STATUS_OK)
		status = complain_of(elf_folder, bareprof_profile_elf_dir(profile, elf_folder, &message), &message);
	bareprof_profile_partial(profile, partial);
	if (status == STATUS_OK)
		status = complain_of_input(path, bareprof_profile_read(profile, path, 1, &message), &message);
	if (status == STATUS_OK)
		status = write_profile(profile, path);
	bareprof_profile_free(profile);
	return status;
}

static enum status convert(char **operands)
{
	if (!check_request())
		return STATUS_USAGE;
	return request.format == FORMAT_RAW ? convert_raw(*operands) : convert_other(*operands);
}

/* A line of the help text, which lists the LLVM releases of one raw version. */
#define RELEASES(version, oldest, newest, words) "\n  version " #version ": LLVM " words

const struct command command_convert = {
	.name = "convert",
	.summary = "convert a profile to another version or file format",
	.operands = "--to FORM -o OUT FILE",
	.operands_min = 1,
	.operands_max = 1,
	.help = "FILE is a profile in any format, or a capture or log with a dump in it. Only a raw\n"
		"profile or a dump can be converted to a raw profile: other formats have no records.\n"
		"A capture of counters needs the ELF file, as with 'bareprof merge'.\n\n"
		"Each llvm-profdata reads one raw version:" BAREPROF_RAW_RELEASES(
			RELEASES) "\nIf the new version cannot hold everything, an error names what it cannot hold,\n"
				  "and nothing is written. Text has no build ids.\n",
	.options = options,
	.run = convert,
};
