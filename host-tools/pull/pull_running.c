/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_running.c - `bareprof pull --from`: writes the profiles of images that are running on this machine. A .profraw
 * is checked and written while it is read, so the .profraw can be larger than memory. If an image has only a machine
 * profile, its .mipraw takes the place of the .profraw.
 */
#include "pull_running.h"
#include "../ports/linux/debugfs_names.h"
#include "backends.h"
#include "elf_files.h"
#include "exit.h"
#include "output.h"
#include "progress_line.h"
#include "running_raw.h"
#include "save.h"
#include "save_capture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A .profraw or .mipraw that is being read and written. */
struct transfer {
	struct running_raw raw;
	struct output output;
	struct progress_line *progress;
	const char *name;
	enum image_item what;
	uint64_t total; /* size of the file in bytes; 0: unknown */
};

static enum status pass_on(void *context, struct bytes bytes, struct error *error)
{
	struct transfer *transfer = context;
	enum status status = running_raw_add(&transfer->raw, bytes, error);

	if (status != STATUS_OK)
		return status;
	output_put(&transfer->output, bytes.data, bytes.size);
	progress_line_bytes(transfer->progress, transfer->name, transfer->raw.size, transfer->total);
	if (transfer->output.status != STATUS_OK)
		*error = transfer->output.error;
	return transfer->output.status;
}

enum image_item running_item(const struct origin *origin, const char *name, uint64_t *total)
{
	enum image_item what = ITEM_PROFRAW;
	struct buffer text = {0};
	struct error unused;
	struct bytes lines;

	*total = 0;
	if (backend_info(origin, name, &text, &unused) != STATUS_OK)
		text.size = 0;
	lines = (struct bytes){text.data, text.size};
	if (!info_number(info_value(lines, BAREPROF_INFO_PROFRAW_BYTES), total) &&
		info_number(info_value(lines, BAREPROF_INFO_MIPRAW_BYTES), total))
		what = ITEM_MIPRAW;
	else if (info_value(lines, BAREPROF_INFO_SAMPLE_RATE).size)
		what = ITEM_CAPTURE;
	buffer_free(&text);
	return what;
}

/*
 * Reads and writes a .profraw or .mipraw once. *@is_output is set to true if the error is about the output, otherwise
 * to false.
 */
static enum status try_raw(const struct origin *origin, struct transfer *transfer, const char *path, bool *is_output,
	enum retry_reason *retry, struct error *error)
{
	struct output *output = &transfer->output;
	enum status status;
	uint64_t written;

	running_raw_free(&transfer->raw);
	transfer->raw = (struct running_raw){0};
	output_open(output, path);
	*retry = RETRY_NEVER;
	status = output->status;
	if (status == STATUS_OK)
		status = origin->backend->read(
			origin->location, transfer->name, transfer->what, pass_on, transfer, retry, error);
	if (status == STATUS_OK)
		status = running_raw_end(&transfer->raw, error);
	/* Bytes that were written to a pipe cannot be taken back, so do not try again. */
	written = output->status == STATUS_OK && !output->temporary ? output->size - output->pending.size : 0;
	*is_output = output->status != STATUS_OK;
	if (output_close(output, status, error) != STATUS_OK && status == STATUS_OK) {
		status = STATUS_SYSTEM;
		*is_output = true;
	}
	if (status != STATUS_OK && written && !*is_output) {
		struct error first = *error;

		*retry = RETRY_NEVER;
		error_set(error, status, "%.3800s; the %" PRIu64 " bytes that went to %s are not a profile", first.text,
			written, output_name(path));
	}
	return status;
}

static enum status pull_raw(
	const struct origin *origin, const char *name, enum image_item what, const char *path, uint64_t total)
{
	struct progress_line progress;
	struct transfer transfer = {.progress = &progress, .name = name, .what = what, .total = total};
	struct retries retries = {0};
	enum retry_reason retry;
	struct error error;
	enum status status;
	bool is_output;

	progress_line_start(&progress, NULL);
	do {
		status = try_raw(origin, &transfer, path, &is_output, &retry, &error);
	} while (status != STATUS_OK && backend_retry(&retries, retry, &error));
	progress_line_clear(&progress);
	if (status != STATUS_OK) {
		char *source = origin->backend->path(origin->location, name, what);

		error_print(is_output ? output_name(path) : source, &error);
		free(source);
	} else {
		save_size(path, transfer.raw.size, transfer.raw.stream.profiles, "profiles");
	}
	running_raw_free(&transfer.raw);
	return status;
}

enum status running_read(
	const struct origin *origin, const char *name, enum image_item what, struct buffer *bytes, struct error *error)
{
	struct retries retries = {0};
	enum retry_reason retry;
	enum status status;

	do {
		bytes->size = 0;
		status = origin->backend->read(origin->location, name, what, sink_append, bytes, &retry, error);
	} while (status != STATUS_OK && backend_retry(&retries, retry, error));
	return status;
}

/*
 * Writes the capture of an image to @path. If there is an ELF file, makes a profile from the capture, and writes the
 * profile instead.
 */
static enum status pull_capture(
	const struct origin *origin, const char *name, const char *path, const struct completion_options *completion)
{
	char *source = origin->backend->path(origin->location, name, ITEM_CAPTURE);
	struct buffer bytes = {0};
	struct error error;
	/* Captures are small. */
	enum status status = running_read(origin, name, ITEM_CAPTURE, &bytes, &error);

	if (status == STATUS_OK)
		status = save_capture((struct bytes){bytes.data, bytes.size}, source, path, completion);
	else
		error_print(source, &error);
	buffer_free(&bytes);
	free(source);
	return status;
}

static enum status pull_image(const struct pull_running *pull, const struct origin *origin, const char *name)
{
	uint64_t total;
	enum image_item what = pull->capture ? ITEM_CAPTURE : running_item(origin, name, &total);
	bool capture = what == ITEM_CAPTURE && !programs_any(pull->completion.programs);
	const char *extension = what == ITEM_MIPRAW ? "mipraw" : "profraw";
	char *path = pull->out ? format("%s", pull->out)
	                       : format("%s%s%s.%s", pull->all ? pull->all : "", pull->all ? "/" : "", name,
					 capture ? "capture" : extension);
	enum status status = what == ITEM_CAPTURE ? pull_capture(origin, name, path, &pull->completion)
	                                          : pull_raw(origin, name, what, path, total);

	free(path);
	return status;
}

static enum status pull_images(
	const struct pull_running *pull, const struct origin *origin, const struct image_names *names)
{
	enum status status = STATUS_OK;
	struct error error;
	size_t i;

	if (!names->count)
		return backend_no_images(origin);
	if (pull->all && save_make_folder(pull->all, &error) != STATUS_OK) {
		error_print(pull->all, &error);
		return STATUS_SYSTEM;
	}
	for (i = 0; i < names->count; i++) {
		enum status one = pull_image(pull, origin, names->name[i]);

		status = one != STATUS_OK ? one : status;
	}
	return status;
}

enum status pull_running(const struct pull_running *pull)
{
	bool one_name = pull->names[0] ? !pull->names[1] : backends_one_profile(pull->from);
	struct image_names names;
	struct origin origin;
	enum status status;

	if (pull->out && (pull->all || !one_name)) {
		complain(NULL, "with --from, --output needs exactly one NAME; without --output, each image goes to "
			       "NAME.profraw");
		return STATUS_USAGE;
	}
	if (!pull->capture && programs_any(pull->completion.programs)) {
		complain(NULL, "--elf and --elf-dir can be used with --from only if --capture is also given; without "
			       "--capture, pull writes a .profraw, which needs no ELF file");
		return STATUS_USAGE;
	}
	status = backends_find(&origin, &names, "pull", pull->from, pull->names);
	if (status == STATUS_OK && pull->out && names.count > 1) {
		complain(NULL,
			"--output needs one NAME, because this Xen has a profile and samples: add xen or samples");
		status = STATUS_USAGE;
	}
	if (status == STATUS_OK)
		status = pull_images(pull, &origin, &names);
	image_names_free(&names);
	return status;
}
