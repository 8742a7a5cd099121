/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_outside.c - reads the counters of each program from the memory of a target, as a capture, and saves them like
 * any other capture. All memory is read before the first file is written, so the target stands still only briefly.
 */
#include "pull_outside.h"
#include "child.h"
#include "exit.h"
#include "memories.h"
#include "outside_capture.h"
#include "programs.h"
#include "save.h"
#include "save_capture.h"

#include <stdlib.h>

/* Returns the name of the file for @program. The caller frees it. */
static char *file_for(const struct pull_running *pull, const struct program *program)
{
	const char *slash = strrchr(program->path, '/');
	const char *base = slash ? slash + 1 : program->path;
	const char *dot = strrchr(base, '.');
	int size = (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base));

	if (pull->out)
		return format("%s", pull->out);
	return format("%s%s%.*s.%s", pull->all ? pull->all : "", pull->all ? "/" : "", size, base,
		pull->capture ? "capture" : "profraw");
}

/* Reads the captures of all programs into @captures, and leaves the target as it was found. */
static enum status read_all(
	const struct pull_running *pull, uint64_t slide, enum memory_leave leave, struct buffer *captures)
{
	const struct programs *programs = pull->completion.programs;
	struct memory memory;
	struct error error;
	struct error unused;
	enum status status = memory_open(&memory, pull->from, &error);
	enum status closed;
	size_t i;

	for (i = 0; i < programs->given && status == STATUS_OK; i++) {
		struct placed placed;

		status = place_find(&placed, &memory, programs->list[i], slide, &error);
		if (status == STATUS_OK)
			status = outside_capture(&captures[i], &placed, &error);
		if (status == STATUS_OK && !placed.proven)
			complain(programs->list[i]->path,
				"warning: has no build id in memory, so bareprof cannot check that this program is "
				"running; link it with --build-id=sha1");
	}
	memory.leave = leave;
	closed = memory_close(&memory, status == STATUS_OK ? &error : &unused);
	status = status == STATUS_OK ? closed : status;
	if (status != STATUS_OK)
		error_print(pull->from, &error);
	return status;
}

static enum status save_all_captures(const struct pull_running *pull, const struct buffer *captures)
{
	const struct completion_options bare = {.report = pull->completion.report};
	const struct programs *programs = pull->completion.programs;
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < programs->given; i++) {
		char *path = file_for(pull, programs->list[i]);
		enum status one = save_capture((struct bytes){captures[i].data, captures[i].size}, pull->from, path,
			pull->capture ? &bare : &pull->completion);

		status = one != STATUS_OK ? one : status;
		free(path);
	}
	return status;
}

static enum status check_options(const struct pull_running *pull)
{
	size_t given = pull->completion.programs->given;

	if (pull->names[0]) {
		complain(NULL, "--from %s has no images with names: leave out '%s'", pull->from, pull->names[0]);
		return STATUS_USAGE;
	}
	if (!given) {
		complain(NULL,
			"--from %s needs --elf with the ELF file of the program: the file says where the counters are",
			pull->from);
		return STATUS_USAGE;
	}
	if (!pull->out || (given == 1 && !pull->all))
		return STATUS_OK;
	complain(NULL,
		"with --from, --output needs exactly one --elf; without --output, each program goes to NAME.profraw");
	return STATUS_USAGE;
}

enum status pull_outside(const struct pull_running *pull, uint64_t slide, enum memory_leave leave)
{
	size_t count = pull->completion.programs->given;
	struct buffer *captures;
	struct error error;
	enum status status = check_options(pull);
	size_t i;

	if (status == STATUS_OK && pull->all && save_make_folder(pull->all, &error) != STATUS_OK) {
		error_print(pull->all, &error);
		status = STATUS_SYSTEM;
	}
	if (status != STATUS_OK)
		return status;
	/* A signal must not end bareprof while the target stands still. */
	catch_signals();
	captures = allocate(count, sizeof(*captures));
	status = read_all(pull, slide, leave, captures);
	if (status == STATUS_OK)
		status = save_all_captures(pull, captures);
	for (i = 0; i < count; i++)
		buffer_free(&captures[i]);
	free(captures);
	die_of_signal();
	return status;
}
