/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_file.c - `bareprof pull` from a saved log or capture.
 */
#include "pull_file.h"
#include "exit.h"
#include "foreign.h"
#include "input.h"
#include "output.h"
#include "raw_open.h"
#include "save.h"

#include <stdlib.h>
#include <string.h>

static void keep_text(void *log, struct bytes text)
{
	buffer_add(log, text.data, text.size);
}

/* Returns the name of the input, with its extension replaced by .profraw. The caller frees the name. */
static char *default_name(const char *input)
{
	const char *slash = strrchr(input, '/');
	const char *base = slash ? slash + 1 : input;
	const char *dot = strrchr(base, '.');

	if (!strcmp(input, "-"))
		return format("bareprof.profraw");
	return format("%.*s.profraw", (int)(dot && dot > base ? dot - input : (ptrdiff_t)strlen(input)), input);
}

/*
 * Writes the dump that --dump names, or the last dump, to *@path. If the dump is written as a capture, the extension of
 * *@path is changed. If the file cannot be written, *@subject is set to the name of the file.
 */
static enum status write_profile(struct dump_receiver *dump, const struct pull_file *pull, char **path,
	const char **subject, struct error *error)
{
	enum status status = dump_receiver_finish(dump, pull->dump, error);
	char *name;

	if (status != STATUS_OK)
		return status;
	name = save_name(dump, *path, pull->out);
	free(*path);
	*path = name;
	status = output_write(name, (struct bytes){dump->stream.data, dump->stream.size}, error);
	if (status == STATUS_OK)
		save_report(dump, name);
	else
		*subject = name;
	return status;
}

static enum status pull_bytes(struct bytes bytes, const struct pull_file *pull, char **path)
{
	const char *subject = input_name(pull->name);
	struct buffer log = {0};
	struct error error;
	struct dump_receiver dump;
	enum status status;

	dump_receiver_start(&dump, pull->log ? keep_text : NULL, &log);
	dump.completion = pull->completion;
	dump.keep_raw_capture = true;
	scan_bytes(&dump.scan, bytes);
	dump_receiver_sort(&dump);
	status = dump.capture.sent_count ? STATUS_OK : foreign_refuse(bytes, &error);
	if (status != STATUS_OK) {
		error_print(subject, &error);
	} else if (pull->all && dump.capture.sent_count) {
		status = save_all(&dump, subject, pull->all);
	} else {
		status =
			pull->only_list ? save_list(&dump, &error) : write_profile(&dump, pull, path, &subject, &error);
		if (status != STATUS_OK)
			error_print(subject, &error);
	}
	if (pull->log && output_write(pull->log, (struct bytes){log.data, log.size}, &error) != STATUS_OK) {
		error_print(pull->log, &error);
		status = STATUS_SYSTEM;
	}
	buffer_free(&log);
	dump_receiver_free(&dump);
	return status;
}

enum status pull_file(const struct pull_file *pull)
{
	const char *name = input_name(pull->name);
	char *path = pull->out ? format("%s", pull->out) : default_name(pull->name);
	struct input input;
	struct error error;
	enum status status = input_read(&input, pull->name, &error);

	if (status == STATUS_OK && pull->all) {
		name = pull->all;
		status = save_all_possible(pull->all, &error);
	}
	if (status == STATUS_OK && raw_magic(input.bytes))
		status = error_set(&error, STATUS_INVALID_INPUT, "is already a .profraw and needs no pull");
	else if (status == STATUS_OK && !pull->out && !pull->only_list && !strcmp(path, pull->name))
		status = error_set(&error, STATUS_USAGE, "would be overwritten; choose another output with -o");
	if (status == STATUS_OK)
		status = pull_bytes(input.bytes, pull, &path);
	else
		error_print(name, &error);
	input_free(&input);
	free(path);
	return status;
}
