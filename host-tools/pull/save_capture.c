/* SPDX-License-Identifier: BSD-2-Clause */
/* save_capture.c - makes profiles from the dumps of a capture, and writes them. */
#include "save_capture.h"
#include "dump_receiver.h"
#include "elf_files.h"
#include "exit.h"
#include "mip_dump.h"
#include "output.h"

#include <inttypes.h>

void save_size(const char *path, uint64_t size, uint64_t count, const char *parts)
{
	if (count > 1)
		complain(output_name(path), "%" PRIu64 " bytes: %" PRIu64 " %s, one after the other", size, count,
			parts);
	else
		complain(output_name(path), "%" PRIu64 " bytes", size);
}

/* Appends a profile for each dump to @profiles. There is a dump for each load of a module. */
static enum status profiles_of(struct dump_receiver *dump, struct buffer *profiles, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < dump->capture.sent_count && status == STATUS_OK; i++) {
		status = dump_receiver_rebuild(dump, &dump->capture.sent_dumps[i], error);
		buffer_add(profiles, dump->stream.data, dump->stream.size);
		buffer_free(&dump->stream);
	}
	return status;
}

/* Checks that all dumps are complete. */
static enum status check_dumps(struct dump_receiver *dump, struct error *error)
{
	const struct sent_dump *sent = dump->capture.sent_dumps;
	size_t i;

	/* The error of dump_receiver_finish() names the contents that were found instead of a dump. */
	if (!dump->capture.sent_count)
		return dump_receiver_finish(dump, NULL, error);
	for (i = 0; i < dump->capture.sent_count; i++) {
		struct buffer text = {0};

		if (sent[i].state == DUMP_COMPLETE)
			continue;
		sent_dump_problem(&sent[i], &text);
		error_set(error, STATUS_INVALID_INPUT, "%.3900s", buffer_string(&text));
		buffer_free(&text);
		return STATUS_INVALID_INPUT;
	}
	return STATUS_OK;
}

enum status save_capture(
	struct bytes capture, const char *source, const char *path, const struct completion_options *completion)
{
	bool complete = programs_any(completion->programs);
	const char *subject = source;
	struct buffer profiles = {0};
	struct dump_receiver dump;
	struct error error;
	enum status status;

	dump_receiver_start(&dump, NULL, NULL);
	dump.completion = *completion;
	scan_bytes(&dump.scan, capture);
	dump_receiver_sort(&dump);
	status = check_dumps(&dump, &error);
	if (status == STATUS_OK && complete) {
		status = profiles_of(&dump, &profiles, &error);
		capture = (struct bytes){profiles.data, profiles.size};
	}
	if (status == STATUS_OK) {
		subject = output_name(path);
		status = output_write(path, capture, &error);
	}
	if (status == STATUS_OK)
		save_size(path, capture.size, dump.capture.sent_count, complete ? "profiles" : "captures");
	else
		error_print(subject, &error);
	if (status == STATUS_OK && completion->report) {
		print_warnings(subject, completion->report);
		completion->report->warning.size = 0;
	}
	dump_receiver_free(&dump);
	buffer_free(&profiles);
	return status;
}

enum status save_machine(struct bytes capture, const char *source, const char *path)
{
	const char *subject = source;
	struct buffer raw = {0};
	struct dump_receiver dump;
	struct error error;
	enum status status;

	dump_receiver_start(&dump, NULL, NULL);
	scan_bytes(&dump.scan, capture);
	dump_receiver_sort(&dump);
	status = check_dumps(&dump, &error);
	if (status == STATUS_OK)
		status = mip_dump_raw(&raw, &dump.capture, dump.capture.sent_dumps, &error);
	if (status == STATUS_OK) {
		subject = output_name(path);
		status = output_write(path, (struct bytes){raw.data, raw.size}, &error);
	}
	if (status == STATUS_OK)
		save_size(path, raw.size, 1, "");
	else
		error_print(subject, &error);
	dump_receiver_free(&dump);
	buffer_free(&raw);
	return status;
}
