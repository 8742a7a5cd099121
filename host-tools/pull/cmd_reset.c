/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_reset.c - `bareprof reset`: resets the counters of running images.
 */
#include "backends.h"
#include "commands.h"
#include "exit.h"

#include <limits.h>
#include <stdlib.h>

static const char *from_text;

static const struct option options[] = {
	{OPT_TEXT("from", 0, "BACKEND", &from_text, "reset images in debugfs, debugfs:DIR, xen or xen:DEVICE")},
	{OPT_END},
};

static enum status reset_image(const struct origin *origin, const char *name)
{
	struct retries retries = {0};
	enum retry_reason retry;
	struct error error;
	enum status status;
	char *path;

	do {
		status = origin->backend->reset(origin->location, name, &retry, &error);
	} while (status != STATUS_OK && backend_retry(&retries, retry, &error));
	if (status == STATUS_OK) {
		complain(name, "was reset");
		return STATUS_OK;
	}
	path = origin->backend->path(origin->location, name, ITEM_RESET);
	error_print(path, &error);
	free(path);
	return status;
}

static enum status reset(char **operands)
{
	struct image_names names;
	struct origin origin;
	enum status status = backends_find(&origin, &names, "reset", from_text, operands);
	size_t i;

	if (status == STATUS_OK && !names.count)
		status = backend_no_images(&origin);
	for (i = 0; i < names.count; i++) {
		enum status one = reset_image(&origin, names.name[i]);

		status = one != STATUS_OK ? one : status;
	}
	image_names_free(&names);
	return status;
}

const struct command command_reset = {
	.name = "reset",
	.summary = "reset the counters of running images",
	.operands = "--from debugfs[:DIR]|xen [NAME...]",
	.operands_min = 0,
	.operands_max = INT_MAX,
	.help = "Reset the images NAME: modules of Linux, vmlinux for the kernel itself, or xen for\n"
		"the hypervisor. Without NAME, reset all images. Each image that was reset is printed.\n"
		"For a module that was unloaded, this discards the profile that was kept.\n",
	.options = options,
	.run = reset,
};
