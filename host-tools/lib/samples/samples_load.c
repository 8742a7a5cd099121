/* SPDX-License-Identifier: BSD-2-Clause */
/* samples_load.c - reads samples from text files, captures and logs. */
#include "samples_load.h"
#include "dump_receiver.h"
#include "foreign.h"
#include "input.h"
#include "samples_stream.h"
#include "samples_text.h"

#include <bareprof/wire.h>
#include <inttypes.h>

/* The samples that are collected, and the file from which they come. */
struct loader {
	struct samples *samples;
	const struct sample_program *program;
	struct buffer *note;
	struct error *error;
	struct dump_receiver receiver;
	size_t dumps; /* number of dumps of samples */
	size_t left_out; /* how many of them are not used, because a later dump has all of their counts */
	size_t incomplete; /* how many of them did not arrive completely */
	size_t unknown; /* number of dumps without BEGIN, which may have samples */
	size_t others; /* how many of them are not used, because their build id is another one */
	bool by_id; /* at least one dump has the expected build id */
};

/* Adds samples that were read to those of earlier inputs. */
static enum status add(struct loader *loader, const struct samples *read)
{
	enum status status = loader->program ? sample_program_fits(loader->program, read, loader->error) : STATUS_OK;

	return status == STATUS_OK ? samples_merge(loader->samples, read, loader->note, loader->error) : status;
}

static enum status load_text(struct loader *loader, struct bytes bytes)
{
	struct samples read = {0};
	enum status status = samples_text_read(&read, bytes, loader->error);

	if (status == STATUS_OK)
		status = add(loader, &read);
	samples_free(&read);
	return status;
}

static struct bytes expected_id(const struct loader *loader)
{
	const struct buffer *id = loader->program ? &loader->program->build_id : &loader->samples->build_id;

	return (struct bytes){id->data, id->size};
}

static bool has_id(const struct loader *loader, const struct sent_dump *sent)
{
	struct bytes id = expected_id(loader);

	return id.size && bytes_equal(sent->begin.id, id);
}

/* Returns an error for an input without a dump of samples. */
static enum status no_dump(struct loader *loader, struct bytes bytes)
{
	const struct capture *capture = &loader->receiver.capture;
	enum status status = capture->sent_count ? STATUS_OK : foreign_refuse(bytes, loader->error);
	const struct sent_dump *last;
	struct buffer text = {0};

	if (status != STATUS_OK)
		return status;
	dump_receiver_damage(&loader->receiver, &text);
	last = capture->sent_count ? &capture->sent_dumps[capture->sent_count - 1] : NULL;
	if (!last)
		error_set(loader->error, STATUS_INVALID_INPUT,
			"is not a file of samples (.samples), and " NO_DUMP_FOUND "%s", buffer_string(&text));
	else if (last->state != DUMP_COMPLETE) {
		sent_dump_problem(last, &text);
		error_set(loader->error, STATUS_INVALID_INPUT, "has no complete dump of samples%s%s; dump again",
			text.size && text.data[0] == ';' ? "" : "; ", buffer_string(&text));
	} else
		error_set(loader->error, STATUS_INVALID_INPUT,
			"has dumps, but none of samples: '%s' reads the dump %08" PRIx32 "%s",
			sent_dump_reader(last) ? sent_dump_reader(last) : "bareprof pull", last->tag,
			buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

static enum status load_dump(struct loader *loader, const struct sent_dump *sent)
{
	struct samples_stream stream = {
		.big = sent->begin.order == BAREPROF_ORDER_BIG, .width = sent->begin.width, .build_id = sent->begin.id};
	struct sparse_buffer bytes = {0};
	struct samples read = {0};
	struct buffer text = {0};
	struct error error;
	enum status status;

	if (sent->state != DUMP_COMPLETE) {
		sent_dump_problem(sent, &text);
		error_set(loader->error, STATUS_INVALID_INPUT,
			"%s; append another log of the same dump, or leave the dump out with --partial",
			buffer_string(&text));
		buffer_free(&text);
		return STATUS_INVALID_INPUT;
	}
	sent_dump_stream(&loader->receiver.capture, sent, BAREPROF_STREAM_SAMPLES, &bytes);
	stream.bytes = (struct bytes){bytes.bytes.data, bytes.bytes.size};
	status = samples_stream_read(&read, &stream, loader->program, &error);
	if (status == STATUS_OK)
		status = add(loader, &read);
	else
		error_set(loader->error, status, "the dump %08" PRIx32 " %.3900s", sent->tag, error.text);
	samples_free(&read);
	sparse_buffer_free(&bytes);
	return status;
}

static void tell_left_out(struct loader *loader)
{
	if (loader->left_out)
		buffer_add_clause(loader->note,
			"%zu of %zu dumps of samples %s left out, because a later dump of the same boot has all of "
			"%s counts",
			loader->left_out, loader->dumps, loader->left_out == 1 ? "was" : "were",
			loader->left_out == 1 ? "its" : "their");
	if (loader->incomplete)
		buffer_add_clause(loader->note, "%zu of %zu dumps of samples %s left out, because blocks are missing",
			loader->incomplete, loader->dumps, loader->incomplete == 1 ? "was" : "were");
	if (loader->unknown)
		buffer_add_clause(loader->note, "%zu dump%s left out, because BEGIN is missing; %s may be of samples",
			loader->unknown, loader->unknown == 1 ? " was" : "s were",
			loader->unknown == 1 ? "it" : "they");
	if (loader->others)
		buffer_add_clause(loader->note, "%zu of %zu dumps of samples %s left out, because of another build id",
			loader->others, loader->dumps, loader->others == 1 ? "was" : "were");
}

static enum status load_dumps(struct loader *loader, struct bytes bytes)
{
	const struct capture *capture = &loader->receiver.capture;
	enum status status = STATUS_OK;
	struct buffer damage = {0};
	size_t i;

	dump_receiver_start(&loader->receiver, NULL, NULL);
	scan_bytes(&loader->receiver.scan, bytes);
	dump_receiver_sort(&loader->receiver);
	for (i = 0; i < capture->sent_count; i++) {
		loader->dumps += capture->sent_dumps[i].samples;
		loader->by_id |= capture->sent_dumps[i].samples && has_id(loader, &capture->sent_dumps[i]);
	}
	if (!loader->dumps)
		status = no_dump(loader, bytes);
	for (i = 0; i < capture->sent_count && status == STATUS_OK; i++) {
		const struct sent_dump *sent = &capture->sent_dumps[i];

		loader->unknown += !sent->begin_block;
		if (!sent->samples)
			continue;
		if (loader->by_id && !has_id(loader, sent))
			loader->others++;
		else if (!dump_receiver_adds_up(&loader->receiver, i))
			loader->left_out++;
		else if (sent->state == DUMP_INCOMPLETE && loader->samples->partial)
			loader->incomplete++;
		else
			status = load_dump(loader, sent);
	}
	if (status == STATUS_OK && loader->dumps && loader->incomplete == loader->dumps)
		status = error_set(loader->error, STATUS_INVALID_INPUT,
			"has no dump of samples that arrived completely; dump again");
	if (status == STATUS_OK) {
		tell_left_out(loader);
		dump_receiver_damage(&loader->receiver, &damage);
		if (damage.size)
			buffer_add_clause(loader->note, "%s", buffer_string(&damage) + 2);
	}
	buffer_free(&damage);
	dump_receiver_free(&loader->receiver);
	return status;
}

enum status samples_load_bytes(struct samples *samples, struct bytes bytes, const struct sample_program *program,
	struct buffer *note, struct error *error)
{
	struct loader loader = {.samples = samples, .program = program, .note = note, .error = error};

	enum status status = samples_text_is(bytes) ? load_text(&loader, bytes) : load_dumps(&loader, bytes);

	samples_sort(samples);
	return status;
}

enum status samples_load(struct samples *samples, const char *path, const struct sample_program *program,
	struct buffer *note, struct error *error)
{
	struct input input = {0};
	enum status status = input_read(&input, path, error);
	uint64_t removed;

	if (status == STATUS_OK)
		status = samples_load_bytes(samples, input.bytes, program, note, error);
	input_free(&input);
	if (status != STATUS_OK || !program)
		return status;
	removed = sample_program_keep_code(program, samples);
	if (removed)
		buffer_add_clause(note,
			"%" PRIu64 " samples are at addresses without code in the ELF file, so they count as outside",
			removed);
	return STATUS_OK;
}
