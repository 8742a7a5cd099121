/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_outside.c - saves the profiles that were read from the memory of a target. A reset comes last, when the files are on
 * the disk, so no count is lost.
 */
#include "pull_outside.h"
#include "child.h"
#include "exit.h"
#include "reading.h"
#include "save.h"
#include "save_capture.h"

#include <stdlib.h>

/* Returns the name of the file for @program. The caller frees it. */
static char *file_for(const struct pull_running *pull, const struct program *program, const char *extension)
{
	const char *slash = strrchr(program->path, '/');
	const char *base = slash ? slash + 1 : program->path;
	const char *dot = strrchr(base, '.');
	int size = (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base));

	if (pull->out)
		return format("%s", pull->out);
	return format("%s%s%.*s.%s", pull->all ? pull->all : "", pull->all ? "/" : "", size, base, extension);
}

/* Saves @capture, if it is not empty. */
static enum status save_one(const struct pull_running *pull, const struct reading *reading,
	const struct buffer *capture, const char *extension)
{
	const struct completion_options bare = {.report = pull->completion.report};
	struct bytes bytes = {capture->data, capture->size};
	enum status status = STATUS_OK;
	char *path;

	if (!capture->size)
		return STATUS_OK;
	path = file_for(pull, reading->program, extension);
	if (!strcmp(extension, "mipraw"))
		status = save_machine(bytes, pull->from, path);
	else
		status =
			save_capture(bytes, pull->from, path, strcmp(extension, "profraw") ? &bare : &pull->completion);
	free(path);
	return status;
}

/* Saves a file for each profile. With --output, there is one file for the first profile. */
static enum status save_apart(const struct pull_running *pull, const struct reading *reading)
{
	bool single = pull->out;
	struct buffer counters = {0};
	struct buffer machine = {0};
	enum status status;

	outside_write(&counters, &reading->counters);
	outside_write(&machine, &reading->machine);
	status = save_one(pull, reading, &counters, "profraw");
	if (status == STATUS_OK && !(single && counters.size))
		status = save_one(pull, reading, &machine, "mipraw");
	if (status == STATUS_OK && !(single && counters.size | machine.size))
		status = save_one(pull, reading, &reading->samples, "capture");
	buffer_free(&counters);
	buffer_free(&machine);
	return status;
}

/* Saves one capture file with all profiles. */
static enum status save_together(const struct pull_running *pull, const struct reading *reading)
{
	struct buffer all = {0};
	enum status status;

	outside_write(&all, &reading->counters);
	outside_write(&all, &reading->machine);
	buffer_add(&all, reading->samples.data, reading->samples.size);
	status = save_one(pull, reading, &all, "capture");
	buffer_free(&all);
	return status;
}

static enum status save_all_captures(const struct pull_running *pull, const struct readings *readings)
{
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < readings->count; i++) {
		const struct reading *reading = &readings->list[i];
		enum status one;

		reading_warn(reading);
		one = pull->capture ? save_together(pull, reading) : save_apart(pull, reading);

		status = one != STATUS_OK ? one : status;
	}
	return status;
}

/* Reads, saves and resets. */
static enum status work(
	const struct pull_running *pull, const struct outside_options *options, struct readings *readings)
{
	enum status status = readings_read(readings, options->reset);

	if (!options->reset || status != STATUS_OK) {
		status = readings_leave(readings, options->leave, status);
		return status == STATUS_OK ? save_all_captures(pull, readings) : status;
	}
	status = save_all_captures(pull, readings);
	if (status == STATUS_OK)
		status = readings_reset(readings);
	return readings_leave(readings, options->leave, status);
}

enum status outside_check(const struct pull_running *pull)
{
	size_t given = pull->completion.programs->given;

	if (pull->names[0]) {
		complain(NULL, "--from %s has no images with names: leave out '%s'", pull->from, pull->names[0]);
		return STATUS_USAGE;
	}
	if (!given) {
		complain(NULL,
			"--from %s needs --elf with the ELF file of the program: the file says where the counters are; "
			"without the file, --symbols takes a list of symbols",
			pull->from);
		return STATUS_USAGE;
	}
	if (!pull->out || (given == 1 && !pull->all))
		return STATUS_OK;
	complain(NULL,
		"with --from, --output needs exactly one --elf; without --output, each program goes to NAME.profraw");
	return STATUS_USAGE;
}

enum status pull_outside(const struct pull_running *pull, const struct outside_options *options)
{
	struct readings readings;
	struct error error;
	enum status status = outside_check(pull);

	if (status == STATUS_OK && pull->all && save_make_folder(pull->all, &error) != STATUS_OK) {
		error_print(pull->all, &error);
		status = STATUS_SYSTEM;
	}
	if (status != STATUS_OK)
		return status;
	/* A signal must not end bareprof while the target stands still. */
	catch_signals();
	status = readings_start(&readings, pull->completion.programs, pull->from, &options->hints);
	if (status == STATUS_OK)
		status = work(pull, options, &readings);
	readings_free(&readings);
	die_of_signal();
	return status;
}
