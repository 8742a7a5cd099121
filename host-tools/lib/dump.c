/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump.c - a session is only given out as a profile if what was put together
 * reads as one and is what BEGIN announced.
 */
#include "dump.h"

#include <bareprof/wire.h>
#include <inttypes.h>
#include <string.h>

void dump_start(struct dump *dump, void (*text)(void *context, struct bytes text), void *context)
{
	*dump = (struct dump){0};
	dump->scan.block = capture_add;
	dump->scan.text = text;
	dump->scan.context = &dump->capture;
	dump->scan.text_context = context;
}

void dump_sort(struct dump *dump)
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

void dump_damage(const struct dump *dump, struct buffer *text)
{
	add_count(text, dump->scan.damaged_lines, "line");
	/* In a log without frames a stray zero byte is no frame. */
	if (dump->scan.frames)
		add_count(text, dump->scan.damaged_frames, "frame");
	add_count(text, dump->scan.damaged_bytes, "byte");
}

static enum status nothing_found(const struct dump *dump, struct error *error)
{
	const struct scan *scan = &dump->scan;

	if (scan->damaged_lines)
		return error_set(error, STATUS_BAD,
			"has %zu lines marked '" BAREPROF_TEXT_MARKER
			"', but all are damaged: check the console's speed and line length, then dump again",
			scan->damaged_lines);
	if (scan->damaged_bytes)
		return error_set(
			error, STATUS_BAD, "starts as a capture file, but no block in it is sound: dump again");
	return error_set(error, STATUS_BAD,
		"has no dump in it; looked for lines with '" BAREPROF_TEXT_MARKER
		"', frames between zero bytes and the magic of a capture file");
}

static bool same_id(struct bytes a, struct bytes b)
{
	return a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size));
}

/*
 * The sections that BEGIN tells, in its order, against those of the profile. A
 * record section in memory may end a little short of its last record's size.
 */
static bool same_sizes(const struct begin *begin, const struct raw_profile *profile)
{
	uint64_t i;

	for (i = 0; i < begin->sections && i < BAREPROF_SECTIONS - BAREPROF_DATA; i++) {
		uint64_t told = begin->section[i].size;
		uint64_t size = profile->section[BAREPROF_DATA + i].size;

		if (told > size || size - told >= (i ? 1 : 8))
			return false;
	}
	return true;
}

static enum status check(const struct dump *dump, struct error *error)
{
	const struct begin *begin = &dump->session->begin;
	struct bytes stream = {dump->stream.data, dump->stream.size};
	struct raw_profile profile;
	struct error why;
	const char *what = NULL;

	if (raw_open(&profile, stream, 0, &why) != STATUS_OK)
		return error_set(error, STATUS_BAD, "the dump %08" PRIx32 " arrived whole, but its .profraw %s",
			dump->session->tag, why.text);
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
	else if (!same_sizes(begin, &profile))
		what = "section sizes";
	if (what)
		return error_set(error, STATUS_BAD,
			"the dump %08" PRIx32 " contradicts itself: its BEGIN and its .profraw differ in the %s",
			dump->session->tag, what);
	return STATUS_OK;
}

enum status dump_take(struct dump *dump, const struct session *session, struct error *error)
{
	enum status status;

	dump->session = session;
	session_stream(&dump->capture, session, &dump->stream);
	status = check(dump, error);
	if (status != STATUS_OK)
		buffer_free(&dump->stream);
	return status;
}

enum status dump_finish(struct dump *dump, const char *wanted, struct error *error)
{
	enum status status;

	dump_sort(dump);
	if (!dump->capture.session_count)
		return nothing_found(dump, error);
	status = session_choose(&dump->session, &dump->capture, wanted, error);
	if (status == STATUS_BAD) {
		struct buffer text = {0};

		dump_damage(dump, &text);
		if (text.size) {
			struct error first = *error;

			error_set(error, status, "%.3800s%.100s", first.text, buffer_string(&text));
		}
		buffer_free(&text);
	}
	return status == STATUS_OK ? dump_take(dump, dump->session, error) : status;
}

void dump_describe(const struct dump *dump, struct buffer *text)
{
	buffer_printf(text, "%zu bytes from the dump %08" PRIx32 " of %zu blocks, all there", dump->stream.size,
		dump->session->tag, dump->session->count);
	dump_damage(dump, text);
}

void dump_free(struct dump *dump)
{
	scan_free(&dump->scan);
	capture_free(&dump->capture);
	buffer_free(&dump->stream);
}
