/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_read.c - detects the file format of a profile and reads the profile.
 */
#include "profile_read.h"
#include "dump_receiver.h"
#include "foreign.h"
#include "indexed.h"
#include "raw_open.h"
#include "text.h"

#include <string.h>

enum file_format detect_format(struct bytes bytes)
{
	if (!bytes.size)
		return FORMAT_EMPTY;
	if (raw_magic(bytes))
		return FORMAT_RAW;
	if (bytes.size >= 8 && load_uint(bytes.data, 8, false) == INDEXED_MAGIC)
		return FORMAT_INDEXED;
	if (bytes.size >= 4 && load_uint(bytes.data, 4, false) == 0x464c457f)
		return FORMAT_ELF;
	return FORMAT_UNKNOWN;
}

static enum status is_empty(struct error *error)
{
	return error_set(
		error, STATUS_INVALID_INPUT, "is empty: the program that should have written it wrote nothing");
}

enum status profile_unpack(struct dump_receiver *dump, struct bytes bytes, const struct completion_options *completion,
	struct error *error)
{
	enum status status;

	dump_receiver_start(dump, NULL, NULL);
	dump->completion = *completion;
	scan_bytes(&dump->scan, bytes);
	status = dump_receiver_finish(dump, NULL, error);
	if (dump->capture.sent_count || dump->scan.damaged_lines || dump->scan.damaged_bytes)
		return status;
	if (text_is_profile(bytes))
		return STATUS_OK;
	status = foreign_refuse(bytes, error);
	if (status == STATUS_OK)
		status = error_set(
			error, STATUS_INVALID_INPUT, "is not a profile (raw, indexed or text), and " NO_DUMP_FOUND);
	return status;
}

/*
 * Adds dump number @index of the capture to @model. Do not call add_dump() for dump->sent, because that dump was
 * already rebuilt.
 */
static enum status add_dump(struct model *model, struct dump_receiver *dump, size_t index,
	const struct read_options *options, struct error *error)
{
	const struct sent_dump *sent = &dump->capture.sent_dumps[index];
	struct buffer text = {0};
	enum status status;

	if (!sent_dump_usable(sent, options->completion.partial)) {
		sent_dump_problem(sent, &text);
		error_set(error, STATUS_INVALID_INPUT,
			"%.3500s; the file has %zu dumps, which this command adds up; 'bareprof pull --dump' takes a "
			"single dump",
			buffer_string(&text), dump->others + 1);
		buffer_free(&text);
		return STATUS_INVALID_INPUT;
	}
	buffer_free(&dump->stream);
	status = dump_receiver_rebuild(dump, sent, error);
	return status == STATUS_OK
	               ? raw_read(model, (struct bytes){dump->stream.data, dump->stream.size}, options, error)
	               : status;
}

/*
 * Adds all dumps except dump->sent, which the caller has already added. Leaves out each dump whose
 * counts are all included in a later dump.
 */
static enum status add_earlier_dumps(
	struct model *model, struct dump_receiver *dump, const struct read_options *options, struct error *error)
{
	struct completion_report *report = options->completion.report;
	const struct sent_dump *chosen = dump->sent;
	enum status status = STATUS_OK;
	size_t repeated = 0;
	size_t i;

	for (i = 0; i < dump->others + 1 && status == STATUS_OK; i++) {
		if (&dump->capture.sent_dumps[i] == chosen)
			continue;
		if (dump_receiver_adds_up(dump, i))
			status = add_dump(model, dump, i, options, error);
		else
			repeated++;
	}
	if (status != STATUS_OK || !report)
		return status;
	report->note.size = 0;
	buffer_printf(&report->note, "has %zu dumps: %zu %s added", dump->others + 1, dump->others + 1 - repeated,
		dump->others == repeated ? "was" : "were");
	if (repeated)
		buffer_printf(&report->note,
			", and %zu %s left out, because a later dump of the same boot has all counts of %s", repeated,
			repeated == 1 ? "was" : "were", repeated == 1 ? "the earlier dump" : "the earlier dumps");
	return STATUS_OK;
}

static enum status add_other(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error)
{
	struct read_options unpacked = *options;
	struct dump_receiver dump;
	enum status status = profile_unpack(&dump, bytes, &options->completion, error);

	unpacked.input_outlives_model = false;
	if (status == STATUS_OK && !dump.stream.size)
		status = text_read(model, bytes, &options->add, error);
	else if (status == STATUS_OK)
		status = raw_read(model, (struct bytes){dump.stream.data, dump.stream.size}, &unpacked, error);
	if (status == STATUS_OK && dump.others && options->add_dumps)
		status = add_earlier_dumps(model, &dump, &unpacked, error);
	dump_receiver_free(&dump);
	return status;
}

static enum status has_no_records(const char *what, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"is %s, which has no records and so cannot become a raw profile; for an older LLVM, make an indexed "
		"profile (--to indexed --for-llvm N)",
		what);
}

enum status profile_raw(struct bytes bytes, const struct completion_options *completion, struct buffer *stream,
	struct bytes *raw, struct error *error)
{
	enum status status;
	struct dump_receiver dump;

	*raw = bytes;
	switch (detect_format(bytes)) {
	case FORMAT_EMPTY:
		return is_empty(error);
	case FORMAT_RAW:
		return STATUS_OK;
	case FORMAT_INDEXED:
		return has_no_records("an indexed profile", error);
	case FORMAT_ELF:
		return foreign_refuse(bytes, error);
	default:
		status = profile_unpack(&dump, bytes, completion, error);
		if (status == STATUS_OK && !dump.stream.size)
			status = has_no_records("text", error);
		buffer_add(stream, dump.stream.data, dump.stream.size);
		*raw = (struct bytes){stream->data, stream->size};
		dump_receiver_free(&dump);
		return status;
	}
}

enum status profile_read(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error)
{
	switch (detect_format(bytes)) {
	case FORMAT_EMPTY:
		return is_empty(error);
	case FORMAT_RAW:
		return raw_read(model, bytes, options, error);
	case FORMAT_INDEXED:
		return indexed_read(model, bytes, &options->add, error);
	case FORMAT_ELF:
		return foreign_refuse(bytes, error);
	default:
		return add_other(model, bytes, options, error);
	}
}
