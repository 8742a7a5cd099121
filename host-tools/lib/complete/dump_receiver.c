/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_receiver.c - rebuilds the profile of a dump. Accepts the profile only if it is a valid raw
 * profile and agrees with the BEGIN block.
 */
#include "dump_receiver.h"
#include "raw_check.h"
#include "raw_open.h"

#include <bareprof/wire.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* At most this many dumps are named in a message. */
#define DUMPS_NAMED 8u

void dump_receiver_start(struct dump_receiver *dump, void (*text)(void *context, struct bytes text), void *context)
{
	*dump = (struct dump_receiver){0};
	dump->scan.block = capture_add;
	dump->scan.text = text;
	dump->scan.context = &dump->capture;
	dump->scan.text_context = context;
}

void dump_receiver_sort(struct dump_receiver *dump)
{
	if (!dump->finished)
		capture_finish(&dump->capture);
	dump->finished = true;
}

static void add_count(struct buffer *text, size_t count, const char *what)
{
	if (count)
		buffer_printf(text, "; %zu damaged %s%s", count, what, count == 1 ? " was dropped" : "s were dropped");
}

void dump_receiver_damage(const struct dump_receiver *dump, struct buffer *text)
{
	add_count(text, dump->scan.damaged_lines, "line");
	/*
	 * Damaged frames are mentioned only if the input has at least one valid frame. A log without valid frames
	 * probably has no frames at all, and its zero bytes come from noise.
	 */
	if (dump->scan.frames)
		add_count(text, dump->scan.damaged_frames, "frame");
	add_count(text, dump->scan.damaged_bytes, "byte");
}

static enum status nothing_found(const struct dump_receiver *dump, struct error *error)
{
	const struct scan *scan = &dump->scan;

	if (scan->damaged_lines)
		return error_set(error, STATUS_INVALID_INPUT,
			"has %zu lines that are marked '" BAREPROF_TEXT_MARKER
			"', but all of them are damaged: check the console's speed and line length, then dump again",
			scan->damaged_lines);
	if (scan->damaged_bytes && scan->magic_at)
		return error_set(error, STATUS_INVALID_INPUT,
			"has the magic number of a capture file at offset %zu, but no sound block: if it is the "
			"firmware (.bin), give the ELF file and a dump instead; if it is a dump, dump again",
			scan->magic_at);
	if (scan->damaged_bytes)
		return error_set(error, STATUS_INVALID_INPUT,
			"starts like a capture file, but all of its blocks are damaged: dump again");
	return error_set(error, STATUS_INVALID_INPUT, NO_DUMP_FOUND);
}

static bool same_id(struct bytes a, struct bytes b)
{
	return a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size));
}

static enum status check_profraw(const struct dump_receiver *dump, struct error *error)
{
	const struct begin *begin = &dump->sent->begin;
	struct bytes stream = {dump->stream.data, dump->stream.size};
	struct raw_profile profile;
	struct error reason;
	const char *what = NULL;

	if (raw_open(&profile, stream, 0, &reason) != STATUS_OK)
		return error_set(error, STATUS_INVALID_INPUT, "the dump %08" PRIx32 " arrived completely, but %s %s",
			dump->sent->tag, dump->sent->counters ? "the profile made with the ELF file" : "its .profraw",
			reason.text);
	raw_close(&profile);
	/* Counts are checked because counters in RAM that was never cleared can have any values. */
	if (dump->sent->counters)
		return raw_check_counts(&profile, error);
	if (profile.end != stream.size)
		what = "length";
	else if (profile.version_word != begin->version)
		what = "version";
	else if (profile.width != begin->width)
		what = "pointer width";
	else if (profile.big != (begin->order == BAREPROF_ORDER_BIG))
		what = "byte order";
	else if (!same_id(profile.build_id, begin->id))
		what = "build id";
	if (what)
		return error_set(error, STATUS_INVALID_INPUT,
			"the dump %08" PRIx32
			" contradicts itself: its first block (BEGIN) and its .profraw differ in the %s",
			dump->sent->tag, what);
	return STATUS_OK;
}

/*
 * Stores in dump->stream the blocks of the dump, as a capture file. The user can make a profile from this capture file
 * later, with the ELF file.
 */
static void keep_capture(struct dump_receiver *dump)
{
	const struct sent_dump *sent = dump->sent;
	size_t i;

	buffer_add(&dump->stream, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
	for (i = 0; i < sent->count; i++) {
		const struct stored_block *stored = &dump->capture.blocks[sent->first + i];
		struct block block = {.type = stored->type,
			.image = stored->image,
			.index = stored->index,
			.tag = stored->tag,
			.payload = {dump->capture.payloads.data + stored->offset, stored->size}};

		block_write(&dump->stream, &block);
	}
}

/* Stores in dump->stream the .profraw that the target sent. */
static void take_stream(struct dump_receiver *dump)
{
	struct sparse_buffer buffer = {0};

	sent_dump_stream(&dump->capture, dump->sent, BAREPROF_STREAM_PROFRAW, &buffer);
	dump->stream = buffer.bytes;
	buffer.bytes = (struct buffer){0};
	sparse_buffer_free(&buffer);
}

/*
 * Stores the image number, nonce, generation and build id of a dump in @origin. If these are equal in two dumps, the
 * later dump has all counts of the earlier dump (docs/SPEC.md, 1.9).
 */
static void tell_origin(const struct sent_dump *sent, struct buffer *origin)
{
	const struct begin *begin = &sent->begin;
	const uint64_t numbers[3] = {sent->image, begin->nonce, begin->generation};

	origin->size = 0;
	buffer_add(origin, numbers, sizeof(numbers));
	buffer_add(origin, begin->id.data, begin->id.size);
}

/*
 * If the target could not record some values, appends a warning with their number to @text. The
 * dump must be complete.
 */
static void tell_dropped(const struct dump_receiver *dump, struct buffer *text)
{
	const struct begin *begin = &dump->sent->begin;
	struct sparse_buffer buffer = {0};
	uint64_t dropped;

	sent_dump_stream(&dump->capture, dump->sent, BAREPROF_STREAM_DROPPED, &buffer);
	dropped =
		buffer.bytes.size ? load_uint(buffer.bytes.data, begin->width, begin->order == BAREPROF_ORDER_BIG) : 0;
	sparse_buffer_free(&buffer);
	if (dropped)
		buffer_add_clause(text,
			"lacks %" PRIu64
			" values: no node was free for these values, or the target saw them during a dump; give "
			"bareprof_values_start() more nodes, or dump while less code runs",
			dropped);
}

static void separate(struct buffer *text)
{
	if (text->size)
		buffer_add_text(text, "; ");
}

static void tell_filled(const struct dump_receiver *dump, const struct sent_dump *sent, struct buffer *text)
{
	if (dump->asks || !sent->fills.count)
		return;
	separate(text);
	buffer_add_text(text, "has ");
	dump_fills_tell(&sent->fills, text);
}

static void tell_others(const struct dump_receiver *dump, struct buffer *text)
{
	if (!dump->others)
		return;
	separate(text);
	buffer_printf(text,
		"of %zu dumps, %s was used: 'bareprof pull' lists them with --list, and takes another dump "
		"with --dump",
		dump->others + 1, dump->chosen_by_id ? "the last one with the build id of an ELF file" : "one");
}

/* Lets the caller check the profile, if its program is known. */
static void check_counts(struct dump_receiver *dump, const struct sent_dump *sent)
{
	const struct completion_options *completion = &dump->completion;
	struct buffer unused = {0};
	struct program *program;
	struct error error;

	if (completion->check && programs_any(completion->programs) &&
		programs_find(completion->programs, sent->begin.id, &program, &unused, &error) == STATUS_OK)
		completion->check(program->path, (struct bytes){dump->stream.data, dump->stream.size},
			&completion->report->warning);
	buffer_free(&unused);
}

enum status dump_receiver_rebuild(struct dump_receiver *dump, const struct sent_dump *sent, struct error *error)
{
	enum status status = STATUS_OK;

	dump->sent = sent;
	dump->is_capture = dump->keep_raw_capture &&
	                   (sent_dump_reader(sent) || (sent->counters && !programs_any(dump->completion.programs)));
	if (dump->is_capture)
		keep_capture(dump);
	else if (sent_dump_reader(sent))
		status = error_set(error, STATUS_INVALID_INPUT,
			"has %s in the dump %08" PRIx32 ", and no other kind of profile: '%s' reads %s",
			sent->samples ? "samples" : "a machine profile", sent->tag, sent_dump_reader(sent),
			sent->samples ? "them" : "it");
	else if (sent->counters)
		status = rebuild_profraw(&dump->stream, &dump->capture, sent, &dump->completion, error);
	else
		take_stream(dump);
	if (status == STATUS_OK && !dump->is_capture)
		status = check_profraw(dump, error);
	if (status != STATUS_OK) {
		buffer_free(&dump->stream);
	} else if (dump->completion.report) {
		tell_origin(sent, &dump->completion.report->origin);
		if (sent->state == DUMP_COMPLETE)
			tell_dropped(dump, &dump->completion.report->warning);
		tell_filled(dump, sent, &dump->completion.report->note);
		if (!dump->is_capture)
			check_counts(dump, sent);
	}
	return status;
}

/*
 * Returns the dump to take if a log has dumps of several programs: the last dump that has the build id of an ELF file.
 * Returns NULL if there is no such dump. If BEGIN of a later dump is missing, that dump may come from the same program.
 * It is returned then, because an incomplete dump is never replaced silently by an older one.
 */
static const struct sent_dump *find_fitting(const struct dump_receiver *dump)
{
	const struct sent_dump *dumps = dump->capture.sent_dumps;
	const struct sent_dump *unknown = NULL;
	size_t i;

	for (i = dump->capture.sent_count; i--;) {
		const struct sent_dump *sent = &dumps[i];

		if (!sent->begin_block || sent->state == DUMP_UNUSABLE)
			unknown = unknown ? unknown : sent;
		else if (programs_have(dump->completion.programs, sent->begin.id))
			return unknown ? unknown : sent;
	}
	return NULL;
}

/*
 * Removes the dumps of machine profiles and of samples from the list if the input has other dumps too, because only
 * commands of their own read them.
 */
static void drop_other_kinds(struct dump_receiver *dump)
{
	struct capture *capture = &dump->capture;
	size_t kept = 0;
	size_t i;

	for (i = 0; i < capture->sent_count; i++)
		kept += !sent_dump_reader(&capture->sent_dumps[i]);
	if (!kept)
		return;
	for (i = 0, kept = 0; i < capture->sent_count; i++) {
		dump->machine_dumps += capture->sent_dumps[i].machine;
		dump->sample_dumps += capture->sent_dumps[i].samples;
		if (sent_dump_reader(&capture->sent_dumps[i]))
			free(capture->sent_dumps[i].missing);
		else
			capture->sent_dumps[kept++] = capture->sent_dumps[i];
	}
	capture->sent_count = kept;
}

/* Dumps of several images are a mistake of their own, for which sent_dump_choose() has a message. */
static bool one_image(const struct capture *capture)
{
	size_t i;

	for (i = 1; i < capture->sent_count; i++)
		if (capture->sent_dumps[i].image != capture->sent_dumps[0].image)
			return false;
	return true;
}

static enum status choose(struct dump_receiver *dump, const char *wanted, struct error *error)
{
	const struct capture *capture = &dump->capture;
	const struct sent_dump *fitting = wanted || !one_image(capture) ? NULL : find_fitting(dump);
	char *name = NULL;
	enum status status;

	dump->chosen_by_id = fitting && fitting != &capture->sent_dumps[capture->sent_count - 1];
	if (dump->chosen_by_id)
		name = format("%08" PRIx32 ".%" PRIu32, fitting->tag, fitting->image);
	status = sent_dump_choose(&dump->sent, capture, name ? name : wanted, dump->completion.partial, error);
	free(name);
	return status;
}

/* Appends the names and build ids of the dumps to @error, because none of the dumps comes from one of the ELF files. */
static void add_dumps(const struct dump_receiver *dump, struct error *error)
{
	const struct capture *capture = &dump->capture;
	struct error first = *error;
	struct buffer text = {0};
	size_t i;

	for (i = 0; i < capture->sent_count && i < DUMPS_NAMED; i++) {
		const struct sent_dump *sent = &capture->sent_dumps[i];

		buffer_printf(&text, "%s%08" PRIx32 " (build id ", i ? ", " : "", sent->tag);
		buffer_add_hex(&text, sent->begin.id);
		buffer_add_text(&text, sent->begin.id.size ? ")" : "unknown)");
	}
	if (i < capture->sent_count)
		buffer_printf(&text, " and %zu more", capture->sent_count - i);
	error_set(error, STATUS_INVALID_INPUT,
		"%.3000s; there are %zu dumps, and none has the build id of an ELF file: %.600s; 'bareprof pull' takes "
		"one of them with --dump",
		first.text, capture->sent_count, buffer_string(&text));
	buffer_free(&text);
}

enum status dump_receiver_finish(struct dump_receiver *dump, const char *wanted, struct error *error)
{
	enum status status;

	dump_receiver_sort(dump);
	if (!dump->capture.sent_count)
		return nothing_found(dump, error);
	if (!wanted)
		drop_other_kinds(dump);
	status = choose(dump, wanted, error);
	if (status == STATUS_INVALID_INPUT) {
		struct buffer text = {0};

		dump_receiver_damage(dump, &text);
		if (text.size) {
			struct error first = *error;

			error_set(error, status, "%.3800s%.100s", first.text, buffer_string(&text));
		}
		buffer_free(&text);
	}
	if (status != STATUS_OK)
		return status;
	dump->others = dump->capture.sent_count - 1;
	status = dump_receiver_rebuild(dump, dump->sent, error);
	if (status == STATUS_INVALID_INPUT && !wanted && dump->others && programs_any(dump->completion.programs) &&
		!find_fitting(dump))
		add_dumps(dump, error);
	if (status == STATUS_OK && dump->completion.report)
		tell_others(dump, &dump->completion.report->note);
	return status;
}

static bool same_origin(const struct sent_dump *a, const struct sent_dump *b)
{
	struct completion_report first = {0};
	struct completion_report second = {0};
	bool same = false;

	if (a->begin_block && b->begin_block && a->machine == b->machine && a->samples == b->samples) {
		tell_origin(a, &first.origin);
		tell_origin(b, &second.origin);
		same = completion_same_origin(&first, &second);
	}
	completion_report_free(&first);
	completion_report_free(&second);
	return same;
}

bool dump_receiver_adds_up(const struct dump_receiver *dump, size_t index)
{
	const struct sent_dump *sent = &dump->capture.sent_dumps[index];
	size_t i;

	for (i = index + 1; i < dump->capture.sent_count; i++) {
		const struct sent_dump *later = &dump->capture.sent_dumps[i];

		if (sent_dump_usable(later, dump->completion.partial) && same_origin(sent, later))
			return false;
	}
	return true;
}

void dump_receiver_describe(const struct dump_receiver *dump, struct buffer *text)
{
	const struct sent_dump *sent = dump->sent;

	buffer_printf(text, "%zu bytes from the dump %08" PRIx32 " of %zu blocks; ", dump->stream.size, sent->tag,
		sent->count);
	if (sent->state == DUMP_COMPLETE)
		buffer_add_text(text, "all of them arrived");
	else
		sent_dump_missing(sent, text);
	if (dump->is_capture && sent_dump_reader(sent))
		buffer_printf(text, "; the dump is %s, so it is saved as a capture, which '%s' reads",
			sent_dump_content(sent), sent_dump_reader(sent));
	else if (dump->is_capture)
		buffer_printf(text,
			"; the dump has only %s, so it is saved as a capture: 'bareprof merge', 'show' and 'report' "
			"make a profile from the capture with --elf ELF",
			sent_dump_content(sent));
	dump_receiver_damage(dump, text);
	tell_filled(dump, sent, text);
	tell_others(dump, text);
	if (dump->machine_dumps)
		buffer_printf(text,
			"; the input also has %zu dump%s of machine profiles, which 'bareprof mip merge' reads",
			dump->machine_dumps, dump->machine_dumps == 1 ? "" : "s");
	if (dump->sample_dumps)
		buffer_printf(text, "; the input also has %zu dump%s of samples, which 'bareprof sample merge' reads",
			dump->sample_dumps, dump->sample_dumps == 1 ? "" : "s");
}

void dump_receiver_free(struct dump_receiver *dump)
{
	scan_free(&dump->scan);
	capture_free(&dump->capture);
	buffer_free(&dump->stream);
}
