/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_reset.c - `bareprof reset`: counters of running images start anew.
 */
#include "commands.h"
#include "backend.h"
#include "exit.h"

#include <limits.h>
#include <stdlib.h>

static const char *from_text;

static const struct option options[] = {
	{"from", 0, "WAY", "where the images are: debugfs, debugfs:DIR, or xen", NULL, &from_text},
	{NULL, 0, NULL, NULL, NULL, NULL},
};

static enum status reset_image(const struct from *from, const char *name)
{
	struct from_tries tries = {0};
	enum from_again again;
	struct error error;
	enum status status;
	char *path;

	do {
		status = from->way->reset(from->place, name, &again, &error);
	} while (status != STATUS_OK && from_retry(&tries, again, &error));
	if (status == STATUS_OK) {
		complain(name, "was reset");
		return STATUS_OK;
	}
	path = from->way->path(from->place, name, FROM_RESET);
	error_print(path, &error);
	free(path);
	return status;
}

static enum status reset(char **operands)
{
	struct from_names names;
	struct from from;
	enum status status = from_images(&from, &names, "reset", from_text, operands);
	size_t i;

	if (status == STATUS_OK && !names.count)
		status = from_nothing(&from);
	for (i = 0; i < names.count; i++) {
		enum status one = reset_image(&from, names.name[i]);

		status = one != STATUS_OK ? one : status;
	}
	from_names_free(&names);
	return status;
}

const struct command command_reset = {
	.name = "reset",
	.summary = "start the counters of what runs on this machine anew",
	.operands = "--from debugfs[:DIR]|xen [NAME...]",
	.operands_least = 0,
	.operands_most = INT_MAX,
	.help = "NAME is a module, or vmlinux, or for Xen xen; without one all that there are are\n"
		"reset, and each is named. Of a module that was unloaded nothing is left then.\n",
	.options = options,
	.run = reset,
};
