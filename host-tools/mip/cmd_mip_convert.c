/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_mip_convert.c - `bareprof mip convert`: makes a .mipraw from a dump, a .mipmap from an ELF file, a .mip from
 * counters of clang, and converts files between versions 8 and 9.
 */
#include "arguments.h"
#include "commands.h"
#include "exit.h"
#include "input.h"
#include "mip_counters.h"
#include "mip_load.h"
#include "mip_map.h"
#include "output.h"

#include <string.h>

enum form {
	FORM_RAW,
	FORM_MAP,
	FORM_PROFILE,
	FORMS,
};

/* The output that was asked for. */
static struct request {
	enum form form; /* FORMS: not given */
	uint64_t version;
} request = {FORMS, BAREPROF_MIP_V9};

static const char *out_path;
static const char *map_path;

#define WHAT_TO_MAKE "name the output: --to mipraw, --to mipmap or --to mip, with :8 or :9 for the version"

static bool parse_form(const char *text, void *custom)
{
	static const char *const names[FORMS] = {"mipraw", "mipmap", "mip"};
	struct request *wanted = custom;
	unsigned int i;

	for (i = 0; i < FORMS; i++) {
		size_t n = strlen(names[i]);

		if (strncmp(text, names[i], n) != 0 || (text[n] && text[n] != ':'))
			continue;
		wanted->form = (enum form)i;
		wanted->version = BAREPROF_MIP_V9;
		return !text[n] || argument_number(text + n + 1, BAREPROF_MIP_V8, BAREPROF_MIP_V9, &wanted->version);
	}
	return false;
}

static const struct option options[] = {
	{OPT_OUTPUT("output", 'o', "OUT", &out_path, "the file to write ('-': standard output)")},
	{OPT_CUSTOM("to", 0, "FORM", &request, parse_form, "mipraw, mipmap or mip; :8 after it for version 8"),
		.invalid = WHAT_TO_MAKE ", not '%s'"},
	{OPT_FILE("elf", 0, "ELF", &map_path,
		 "for --to mipraw:8, the map: a program, a .mipmap or a .mip; for --to mip, the program of FILE"),
		.old_name = "profile", .old_letter = 'p'},
	{OPT_END},
};

/* The raw profile that becomes the output. */
struct conversion {
	struct mip_profile profile; /* empty if --elf was not given */
	struct buffer content;
	size_t count; /* number of raw profiles in the input */
};

/* BEGIN of a dump has only the address of the coverage bytes. The loader moved all sections by the same distance. */
static void complete_addresses(struct mip_raw *raw, const struct mip_profile *profile)
{
	uint64_t slide = raw->address[MIP_COVERAGE] - profile->section[MIP_COVERAGE].address;
	unsigned int i;

	for (i = MIP_CALLS; i <= MIP_BLOCKS && !profile->relative; i++)
		if (!raw->address[i] && profile->section[i].address)
			raw->address[i] =
				(profile->section[i].address + slide) & (raw->width == 4 ? UINT32_MAX : UINT64_MAX);
}

static enum status convert_v9(struct conversion *conversion, const struct mip_raw *raw, struct error *error)
{
	struct mip_raw complete = *raw;

	if (raw->version == BAREPROF_MIP_V8)
		return error_set(error, STATUS_INVALID_INPUT,
			"has version 8, which has neither a build id nor addresses, so it cannot become version 9");
	if (conversion->profile.count)
		complete_addresses(&complete, &conversion->profile);
	mip_raw_write(&conversion->content, &complete);
	return STATUS_OK;
}

static enum status convert_one(void *context, const struct mip_raw *raw, const char *name)
{
	struct conversion *conversion = context;
	struct buffer note = {0};
	struct error error;
	enum status status = STATUS_OK;

	conversion->content.size = 0;
	conversion->count++;
	if (conversion->profile.count)
		status = mip_raw_fits(raw, &conversion->profile, &note, &error);
	if (status == STATUS_OK)
		status = request.version == BAREPROF_MIP_V9
		                 ? convert_v9(conversion, raw, &error)
		                 : mip_raw_v8_write(&conversion->content, raw, &conversion->profile, &error);
	if (status != STATUS_OK)
		error_print(name, &error);
	else
		mip_tell_notes(name, &note);
	buffer_free(&note);
	return status;
}

static enum status convert_raw(const char *path)
{
	struct conversion conversion = {0};
	enum status status = STATUS_OK;

	if (request.version == BAREPROF_MIP_V8 && !map_path) {
		complain(NULL, "--to mipraw:8 needs the map, because the map tells which bytes belong to functions: "
			       "add --elf ELF");
		return STATUS_USAGE;
	}
	if (map_path)
		status = mip_load(&conversion.profile, map_path);
	if (status == STATUS_OK)
		status = mip_load_raws(path, &conversion.profile, convert_one, &conversion, NULL);
	if (status == STATUS_OK && conversion.count > 1)
		complain(input_name(path), "note: has %zu dumps of machine profiles; the last of them was converted",
			conversion.count);
	if (status == STATUS_OK)
		status = mip_write(out_path, (struct bytes){conversion.content.data, conversion.content.size});
	buffer_free(&conversion.content);
	mip_profile_free(&conversion.profile);
	return status;
}

/* Prints a note if version 8 cannot hold everything. Counts are never lost. */
static void tell_losses(const struct mip_profile *profile)
{
	size_t left_out = 0;
	size_t i;

	for (i = 0; i < profile->count; i++)
		left_out += !profile->functions[i].kinds;
	if (left_out)
		complain(output_name(out_path),
			"note: lacks %zu function%s that %s left out, because version 8 has no records "
			"for %s",
			left_out, left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are",
			left_out == 1 ? "it" : "them");
}

static enum status convert_other(const char *path)
{
	struct mip_profile profile;
	struct buffer content = {0};
	struct error error;
	enum status status = map_path && request.form == FORM_PROFILE ? mip_counters_load(&profile, path, map_path)
	                                                              : mip_load(&profile, path);

	if (status == STATUS_OK && request.form == FORM_PROFILE)
		status = mip_write_profile(out_path, &profile, (unsigned int)request.version);
	else if (status == STATUS_OK) {
		status = mip_map_write(&content, &profile, (unsigned int)request.version, &error);
		if (status != STATUS_OK)
			error_print(input_name(path), &error);
		else
			status = mip_write(out_path, (struct bytes){content.data, content.size});
	}
	if (status == STATUS_OK && request.version == BAREPROF_MIP_V8)
		tell_losses(&profile);
	buffer_free(&content);
	mip_profile_free(&profile);
	return status;
}

static enum status convert(char **operands)
{
	if (!out_path) {
		complain(NULL, "name the file to write, with -o OUT");
		return STATUS_USAGE;
	}
	if (request.form == FORMS) {
		complain(NULL, WHAT_TO_MAKE);
		return STATUS_USAGE;
	}
	return request.form == FORM_RAW ? convert_raw(operands[0]) : convert_other(operands[0]);
}

const struct command command_mip_convert = {
	.name = "mip convert",
	.summary = "convert machine profiles between versions, or from counters of clang",
	.operands = "--to FORM -o OUT FILE",
	.operands_min = 1,
	.operands_max = 1,
	.help = "FORM says what to write. Version 9 is the default:\n"
		"    mipraw   a raw machine profile, from a .mipraw or from a dump in a capture or log\n"
		"    mipmap   a map, from an ELF file, a .mipmap or a .mip\n"
		"    mip      a machine profile, from a .mip, or without runs from an ELF file or a map;\n"
		"             with --elf ELF, from a profile of the program ELF with counters of clang\n\n"
		"A profile with counters of clang is raw (.profraw), indexed (.profdata), or in a\n"
		"capture or log. The light kinds of instrumentation are enough:\n"
		"-pgo-function-entry-coverage, -pgo-block-coverage, or -pgo-temporal-instrumentation,\n"
		"which gives the order of first calls. 'bareprof mip merge' joins such machine profiles\n"
		"with others of the same link.\n\n"
		"Version 8 is the version of the tools that were proposed for LLVM (review D104060).\n"
		"It has no addresses, so a map or raw profile of version 8 cannot become version 9.\n"
		"--to mipraw:8 needs the map, with --elf.\n",
	.options = options,
	.run = convert,
};
