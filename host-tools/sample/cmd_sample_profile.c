/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_sample_profile.c - `bareprof sample profile`: makes a profile for clang from samples. */
#include "commands.h"
#include "exit.h"
#include "output.h"
#include "sample_input.h"
#include "sample_profile.h"
#include "sample_ranges.h"
#include "sampleprof_file.h"

#include <limits.h>

enum form {
	FORM_BINARY,
	FORM_TEXT,
	FORM_RANGES,
};

static const char *const forms[] = {[FORM_BINARY] = "extbinary", [FORM_TEXT] = "text", [FORM_RANGES] = "ranges", NULL};

static const char *out_path;
static unsigned int form;
static uint64_t release;
static bool by_line;
static bool guids;

static const struct option options[] = {
	{OPT_OUTPUT("output", 'o', "OUT", &out_path, "write the profile to OUT ('-': standard output); required")},
	{OPT_CHOICE("format", 0, "FORMAT", &form, forms,
		"extbinary (the default), text, or ranges: the input of llvm-profgen")},
	{OPT_NUMBER("llvm", 0, "N", &release, 13, 99,
		"the release of the clang that will read the profile; the default is the clang of ELF")},
	{OPT_FLAG("lines", 0, &by_line, "make a profile of source lines (AutoFDO), also if ELF has pseudo probes")},
	{OPT_FLAG("guids", 0, &guids, "write GUIDs in place of names, which makes the profile smaller")},
	{OPT_END},
};

/* Finds the release for which the profile is made. The hashes of probes changed after clang 16. */
static enum status find_release(const struct sample_program *program, unsigned int *llvm)
{
	unsigned int clang = program->clang;

	*llvm = release ? (unsigned int)release : clang;
	if (!*llvm) {
		complain(program->path, "does not say which clang compiled it; give the release with --llvm N");
		return STATUS_INVALID_INPUT;
	}
	if (clang && (clang > 16) != (*llvm > 16)) {
		complain(program->path,
			"was compiled by clang %u, whose profiles do not fit functions that clang %u compiles: "
			"the hashes of their probes differ; take the same compiler for both builds",
			clang, *llvm);
		return STATUS_INVALID_INPUT;
	}
	return STATUS_OK;
}

static void print_losses(
	const char *path, const struct samples *samples, const struct sample_losses *losses, bool lines)
{
	double total = (double)samples_total(samples);

	complain(NULL, "%zu functions with %.0f of %.0f samples", losses->functions - losses->functions_left,
		losses->used, total);
	if (losses->functions_left)
		complain(path, "note: %zu functions with %.0f samples have no %s; they are not in the profile",
			losses->functions_left, losses->left_samples,
			lines ? "lines in the debug information"
			      : "probes, because they are assembly code or were compiled without "
				"-fpseudo-probe-for-profiling");
	if (losses->no_code >= 0.5)
		complain(path, "note: %.0f samples are in no function; they are not in the profile", losses->no_code);
}

/* Writes @out to the output if @status is OK, otherwise prints @error. Frees @out. */
static enum status finish(struct buffer *out, enum status status, struct error *error)
{
	if (status == STATUS_OK)
		status = output_write(out_path, (struct bytes){out->data, out->size}, error);
	if (status != STATUS_OK)
		error_print(output_name(out_path), error);
	buffer_free(out);
	return status;
}

static enum status write_profile(struct sampleprof *profile, unsigned int llvm)
{
	struct sampleprof_options how = {.llvm = llvm, .guids = guids};
	struct buffer out = {0};
	struct error error;
	enum status status = form == FORM_TEXT ? sampleprof_write_text(profile, &how, &out, &error)
	                                       : sampleprof_write_binary(profile, &how, &out, &error);

	return finish(&out, status, &error);
}

static enum status make_profile(struct sampleprof *profile, const char *path, const struct sample_program *program,
	const struct samples *samples)
{
	struct sample_losses losses;
	struct probes probes;
	struct error error;
	enum status status = probes_read(&probes, &program->image, &error);
	bool use_lines = by_line || !probes.count;

	if (status == STATUS_OK && !use_lines)
		sample_probe_profile(profile, program, samples, &probes, &losses);
	else if (status == STATUS_OK && !sample_line_profile(profile, program, samples, &losses))
		status = error_set(&error, STATUS_INVALID_INPUT,
			"has neither pseudo probes nor debug information; compile with clang -g1 "
			"-fpseudo-probe-for-profiling, and do not strip the file");
	if (status != STATUS_OK) {
		error_print(path, &error);
	} else {
		if (use_lines && !by_line)
			complain(path, "note: has no pseudo probes, so the profile has counts of lines; pseudo probes "
				       "are more precise (-fpseudo-probe-for-profiling)");
		print_losses(path, samples, &losses, use_lines);
	}
	probes_free(&probes);
	return status;
}

static enum status write_clang_profile(
	const char *path, const struct sample_program *program, const struct samples *samples)
{
	struct sampleprof made = {0};
	unsigned int llvm;
	enum status status = find_release(program, &llvm);

	if (status == STATUS_OK)
		status = make_profile(&made, path, program, samples);
	if (status == STATUS_OK)
		status = write_profile(&made, llvm);
	sampleprof_free(&made);
	return status;
}

/* Writes the input of llvm-profgen, which does the rest: it finds the probes, lines and names. */
static enum status write_ranges(const char *path, const struct sample_program *program, const struct samples *samples)
{
	struct sample_ranges ranges = {0};
	struct sample_losses losses;
	struct buffer out = {0};
	struct error error;
	enum status status;

	sample_ranges_make(&ranges, program, samples, &losses);
	print_losses(path, samples, &losses, false);
	status = sampleprof_write_ranges(ranges.list, ranges.count, ranges.branches, ranges.branch_count, &out, &error);
	sample_ranges_free(&ranges);
	return finish(&out, status, &error);
}

static enum status profile(char **operands)
{
	struct sample_program program = {0};
	struct samples samples = {0};
	enum status status;

	if (!out_path) {
		complain(NULL, "name the file for the profile with -o: 'bareprof sample profile -o code.prof ELF "
			       "INPUT...'");
		return STATUS_USAGE;
	}
	if (form == FORM_RANGES && (by_line || guids || release)) {
		complain(
			NULL, "--format ranges takes no --lines, --guids or --llvm: give such options to llvm-profgen");
		return STATUS_USAGE;
	}
	status = sample_open(&program, operands[0]);
	if (status == STATUS_OK)
		status = sample_load_all(&samples, operands + 1, &program);
	if (status == STATUS_OK)
		status = form == FORM_RANGES ? write_ranges(operands[0], &program, &samples)
		                             : write_clang_profile(operands[0], &program, &samples);
	samples_free(&samples);
	sample_program_close(&program);
	return status;
}

const struct command command_sample_profile = {
	.name = "sample profile",
	.summary = "make a profile for clang from samples of the program counter",
	.operands = "ELF INPUT...",
	.operands_min = 2,
	.operands_max = INT_MAX,
	.help = "ELF is the image that was sampled, compiled with -g1 -fpseudo-probe-for-profiling. INPUT\n"
		"is as in 'bareprof sample merge'. Build again with the same options and with\n"
		"-fprofile-sample-use=OUT.\n\n"
		"A sample hits a block in proportion to its number of instructions. So the runs of a\n"
		"block are its samples divided by its instructions. Then control flow decides: a block\n"
		"runs as often as control enters and leaves it. Of all counts that obey this rule,\n"
		"profile takes those that explain the samples best.\n\n"
		"With --format ranges, OUT is not for clang but for llvm-profgen, which makes a profile of it:\n"
		"'llvm-profgen --binary=ELF --unsymbolized-profile=OUT --use-offset=0 -o FILE'.\n\n"
		"The profile fits the clang that compiled ELF, and its relatives: 13 to 16, or 17 and\n"
		"later. docs/PGO.md explains the use.\n",
	.options = options,
	.run = profile,
};
