/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_probes_check.c - `bareprof probes check`: reports what is wrong with the pseudo probes of an image. */
#include "commands.h"
#include "exit.h"
#include "input.h"
#include "probes_check.h"
#include "sampleprof_file.h"

#include <stdio.h>

static const char *profile_path;

static const struct option options[] = {
	{OPT_FILE("profile", 'p', "PROFILE", &profile_path,
		"also report functions of PROFILE, a sample profile as text, that do not fit ELF")},
	{OPT_END},
};

static enum status check_profile(struct probes_check *check)
{
	struct sampleprof profile = {0};
	struct input input = {0};
	struct error error;
	enum status status = input_read(&input, profile_path, &error);

	if (status == STATUS_OK)
		status = sampleprof_read_text(&profile, input.bytes, &error);
	if (status == STATUS_OK && profile.kind != SAMPLEPROF_PROBES)
		status = error_set(&error, STATUS_INVALID_INPUT,
			"has counts of lines and not of pseudo probes, so nothing in it depends on the probes of ELF");
	if (status == STATUS_OK)
		probes_check_profile(check, &profile, input_name(profile_path));
	else
		error_print(input_name(profile_path), &error);
	sampleprof_free(&profile);
	input_free(&input);
	return status;
}

static enum status check(char **operands)
{
	struct probes_check check = {.path = operands[0]};
	struct image image;
	struct probes probes = {0};
	struct error error;
	enum status status = image_open(&image, operands[0], &error);

	if (status == STATUS_OK)
		status = probes_read(&probes, &image, &error);
	if (status == STATUS_OK) {
		check.image = &image;
		check.probes = &probes;
		probes_check_image(&check);
		if (profile_path && probes.node_count)
			status = check_profile(&check);
	} else {
		error_print(operands[0], &error);
	}
	if (status == STATUS_OK) {
		printf("%s: %zu functions with %zu probes; errors: %zu, warnings: %zu\n", operands[0], probes.records,
			probes.count, check.errors, check.warnings);
		status = check.errors ? STATUS_INVALID_INPUT : check.warnings ? EXIT_WARNINGS : STATUS_OK;
	}
	probes_free(&probes);
	image_close(&image);
	return status;
}

const struct command command_probes_check = {
	.name = "probes check",
	.summary = "report what is wrong with the pseudo probes of an image",
	.operands = "ELF",
	.operands_min = 1,
	.operands_max = 1,
	.help = "Check an image before you take samples of it. check reports images without probes or\n"
		"without debug information, probes that the link lost, and files that different\n"
		"releases of clang compiled.\n\n"
		"With --profile, check reports functions whose counts clang would ignore, because their\n"
		"control flow has changed since the samples were taken. 'llvm-profdata merge' with the\n"
		"options -sample and -text turns other sample profiles into text.\n",
	.options = options,
	.run = check,
};
