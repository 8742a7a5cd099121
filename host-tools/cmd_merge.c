/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_merge.c - `bareprof merge`: profiles of any form into one.
 */
#include "commands.h"
#include "input.h"
#include "profiles.h"

#include <stdlib.h>

static const char *out_path;
static const char *release_text;
static bool as_text;

static const struct option options[] = {
	{"output", 'o', "OUT", "the profile to write", NULL, &out_path},
	{"for-llvm", 0, "N", "in the version that LLVM release N writes", NULL, &release_text},
	{"text", 0, NULL, "as text (.proftext)", &as_text, NULL},
	{NULL, 0, NULL, NULL, NULL, NULL},
};

static enum status merge(char **operands)
{
	struct reading reading = {.weight = 1};
	enum status status = STATUS_OK;
	struct model model;
	struct output output;
	struct error error;
	const char *subject = NULL;

	model_start(&model);
	for (; *operands && status == STATUS_OK; operands++) {
		struct input input;

		subject = input_name(*operands);
		status = input_read(&input, *operands, &error);
		if (status == STATUS_OK)
			status = profile_add(&model, input.bytes, &reading, &error);
		input_free(&input);
	}
	if (status == STATUS_OK) {
		subject = out_path;
		model_sort(&model);
		output_open(&output, out_path);
		if (as_text)
			text_write(&model, &output);
		else
			indexed_write(&model, (unsigned int)atoi(release_text), &output);
		status = output_close(&output, STATUS_OK, &error);
	}
	if (status != STATUS_OK)
		error_print(subject, &error);
	model_free(&model);
	return status;
}

const struct command command_merge = {
	.name = "merge",
	.summary = "make one profile of many",
	.operands = "FILE...",
	.operands_least = 1,
	.operands_most = 100000,
	.help = "\n",
	.options = options,
	.run = merge,
};
