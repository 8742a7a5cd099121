/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * save.c - lists dumps, and writes them to files. One dump is written to a file with a given name, or each dump is
 * written to a file of its own.
 */
#include "save.h"
#include "elf_files.h"
#include "exit.h"
#include "output.h"

#include <bareprof/wire.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void list_machine(const struct begin *begin)
{
	uint64_t blocks = streams_size(&begin->streams, BAREPROF_STREAM_MIP_BLK);
	uint64_t samples = streams_size(&begin->streams, BAREPROF_STREAM_MIP_SMP);

	printf("%u-bit, machine profile of %" PRIu64 " coverage bytes and %" PRIu64 " bytes of call entries",
		begin->width * 8u, streams_size(&begin->streams, BAREPROF_STREAM_MIP_COV),
		streams_size(&begin->streams, BAREPROF_STREAM_MIP_CALLS));
	if (blocks)
		printf(", %" PRIu64 " block bytes", blocks);
	if (samples)
		printf(", %" PRIu64 " bytes of samples", samples);
}

static void list_begin(const struct sent_dump *sent)
{
	const struct begin *begin = &sent->begin;
	unsigned int version = (unsigned int)(begin->version & BAREPROF_VERSION_NUMBER);

	if (version)
		printf("raw version %u, ", version);
	if (sent->machine)
		list_machine(begin);
	else if (sent->samples)
		printf("%u-bit, %" PRIu64 " bytes of samples", begin->width * 8u, begin->streams.stream[0].size);
	else
		printf("%u-bit, %" PRIu64 " bytes%s", begin->width * 8u, begin->streams.stream[0].size,
			sent->counters ? " of counters" : "");
	if (streams_find(&begin->streams, BAREPROF_STREAM_VALUES))
		printf(", %" PRIu64 " values",
			streams_size(&begin->streams, BAREPROF_STREAM_VALUES) / BAREPROF_VALUE_PAIR);
	if (begin->id.size) {
		struct buffer text = {0};

		buffer_add_hex(&text, begin->id);
		printf(", build id %s", buffer_string(&text));
		buffer_free(&text);
	}
	printf("  ");
}

static void list_dump(const struct sent_dump *sent)
{
	struct buffer text = {0};

	printf("%08" PRIx32 "  image %" PRIu32 "  ", sent->tag, sent->image);
	if (sent->begin_block && sent->begin.width)
		list_begin(sent);
	if (sent->state == DUMP_INCOMPLETE) {
		sent_dump_missing(sent, &text);
	} else if (sent->state == DUMP_UNUSABLE) {
		buffer_add_text(&text, sent->problem.text);
	} else {
		buffer_add_text(&text, "complete");
		if (sent->fills.count) {
			buffer_add_text(&text, ", with ");
			dump_fills_tell(&sent->fills, &text);
		}
	}
	printf("%s\n", buffer_string(&text));
	buffer_free(&text);
}

enum status save_list(struct dump_receiver *dump, struct error *error)
{
	size_t i;

	dump_receiver_sort(dump);
	if (!dump->capture.sent_count)
		return dump_receiver_finish(dump, NULL, error);
	for (i = 0; i < dump->capture.sent_count; i++)
		list_dump(&dump->capture.sent_dumps[i]);
	return STATUS_OK;
}

void save_report(const struct dump_receiver *dump, const char *path)
{
	struct completion_report *report = dump->completion.report;
	struct buffer text = {0};

	dump_receiver_describe(dump, &text);
	complain(path, "%s", buffer_string(&text));
	buffer_free(&text);
	if (!report)
		return;
	/* dump_receiver_describe() has already put the notes into the text above, so do not print them again. */
	report->note.size = 0;
	print_warnings(path, report);
	report->warning.size = 0;
}

char *save_name(const struct dump_receiver *dump, const char *path, bool named)
{
	static const char ending[] = ".profraw";
	size_t n = strlen(path);

	if (named || !dump->is_capture || n < sizeof(ending) || strcmp(path + n - sizeof(ending) + 1, ending))
		return format("%s", path);
	return format("%.*s.capture", (int)(n - sizeof(ending) + 1), path);
}

/*
 * Returns the path for a dump. It is TAG.profraw in @folder, or TAG.IMAGE.profraw if the image number is not 0, because
 * one capture can have dumps of several images. The caller frees the path.
 */
static char *path_of(const char *folder, const struct sent_dump *sent, bool kept)
{
	const char *ending = kept ? "capture" : "profraw";

	return sent->image ? format("%s/%08" PRIx32 ".%" PRIu32 ".%s", folder, sent->tag, sent->image, ending)
	                   : format("%s/%08" PRIx32 ".%s", folder, sent->tag, ending);
}

static bool is_folder(const char *path)
{
	struct stat is;

	return !stat(path, &is) && S_ISDIR(is.st_mode);
}

enum status save_all_possible(const char *folder, struct error *error)
{
	char *inside = format("%s/x", folder);
	enum status status;

	if (access(folder, F_OK) || is_folder(folder))
		status = output_possible(is_folder(folder) ? inside : folder, error);
	else
		status = error_set(error, STATUS_SYSTEM, "is not a folder; --all writes several files: name a folder");
	free(inside);
	return status;
}

enum status save_make_folder(const char *folder, struct error *error)
{
	if (is_folder(folder) || !mkdir(folder, 0777))
		return STATUS_OK;
	return error_set(error, STATUS_SYSTEM, "cannot be created: %s", strerror(errno));
}

static enum status write_one(struct dump_receiver *dump, const struct sent_dump *sent, const char *folder)
{
	struct error error;
	enum status status = dump_receiver_rebuild(dump, sent, &error);
	char *path = path_of(folder, sent, dump->is_capture);
	const char *subject = path;

	if (status == STATUS_OK) {
		status = save_make_folder(folder, &error);
		subject = status == STATUS_OK ? path : folder;
	}
	if (status == STATUS_OK)
		status = output_write(path, (struct bytes){dump->stream.data, dump->stream.size}, &error);
	if (status == STATUS_OK)
		save_report(dump, path);
	else
		error_print(subject, &error);
	buffer_free(&dump->stream);
	free(path);
	return status;
}

enum status save_all(struct dump_receiver *dump, const char *name, const char *folder)
{
	enum status status = STATUS_OK;
	size_t i;

	dump_receiver_sort(dump);
	for (i = 0; i < dump->capture.sent_count && status != STATUS_SYSTEM; i++) {
		const struct sent_dump *sent = &dump->capture.sent_dumps[i];
		struct buffer text = {0};

		if (sent_dump_usable(sent, dump->completion.partial)) {
			enum status one = write_one(dump, sent, folder);

			status = one != STATUS_OK ? one : status;
			continue;
		}
		sent_dump_problem(sent, &text);
		complain(name, "%.3900s", buffer_string(&text));
		buffer_free(&text);
		status = STATUS_INVALID_INPUT;
	}
	return status;
}
