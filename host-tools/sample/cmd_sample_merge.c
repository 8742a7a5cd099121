/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_sample_merge.c - `bareprof sample merge`: adds up samples of one link. */
#include "commands.h"
#include "exit.h"
#include "output.h"
#include "sample_input.h"
#include "samples_text.h"

#include <limits.h>

static const char *out_path;
static const char *elf_path;
static bool partial;

static const struct option options[] = {
	{OPT_OUTPUT("output", 'o', "OUT", &out_path, "write the sum to OUT ('-': standard output); required")},
	{OPT_FILE("elf", 0, "ELF", &elf_path,
		"the ELF file of the image; necessary if a loader may have moved the image")},
	{OPT_FLAG("partial", 0, &partial, "leave out dumps that did not arrive completely")},
	{OPT_END},
};

static enum status write_samples(const struct samples *samples)
{
	struct buffer text = {0};
	struct error error;
	enum status status;

	samples_text_write(&text, samples);
	status = output_write(out_path, (struct bytes){text.data, text.size}, &error);
	if (status != STATUS_OK)
		error_print(output_name(out_path), &error);
	buffer_free(&text);
	return status;
}

static enum status merge(char **operands)
{
	struct sample_program program = {0};
	struct samples samples = {.partial = partial};
	enum status status = STATUS_OK;

	if (!out_path) {
		complain(NULL, "name the file for the sum with -o: 'bareprof sample merge -o all.samples INPUT...'");
		return STATUS_USAGE;
	}
	if (elf_path)
		status = sample_open(&program, elf_path);
	if (status == STATUS_OK)
		status = sample_load_all(&samples, operands, elf_path ? &program : NULL);
	if (status == STATUS_OK)
		status = write_samples(&samples);
	samples_free(&samples);
	if (elf_path)
		sample_program_close(&program);
	return status;
}

const struct command command_sample_merge = {
	.name = "sample merge",
	.summary = "add up samples of the program counter, from dumps, boots and CPUs",
	.operands = "INPUT...",
	.operands_min = 1,
	.operands_max = INT_MAX,
	.help = "Each INPUT is a capture, a console log with dumps of samples, or a file of samples\n"
		"(.samples, as merge writes it). All of them must come from one link: merge compares\n"
		"the build ids. OUT is a .samples file. It is a text, so that scripts can read it, and\n"
		"can make one from the samples of other tools. docs/SPEC.md describes it.\n\n"
		"Each dump of samples has only the samples since the dump before, so merge adds all\n"
		"dumps of a log. A dump that was sent twice counts once. A dump of a histogram has all\n"
		"counts since the boot, so merge takes the last one of each boot.\n\n"
		"A kernel with KASLR, or another image that a loader moved, sends run-time addresses.\n"
		"Then --elf is necessary, because only the ELF file tells how far the image was moved.\n"
		"With --elf, samples at addresses without code count as outside.\n",
	.options = options,
	.run = merge,
};
