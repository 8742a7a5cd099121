/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.c - split a guest's console into log text and blocks, line by line.
 */
#include "console.h"

#include <bareprof/wire.h>
#include <errno.h>
#include <string.h>

/* A line longer than any of a dump is not waited for. */
#define LINE_MAX_BYTES (1u << 20)
/* Nor is a marker waited for behind so much else. */
#define PREFIX_MAX_BYTES 4096u
/* A frame that goes on after so long a silence is lost: calls of console_idle(). */
#define FRAME_IDLE 60u

/* That it failed is for later: what matters now is to listen. */
static void flush_shown(struct console *console)
{
	if (console->show && fflush(console->show) && !console->write_error)
		console->write_error = errno;
}

/* Pass on a line or a part of one. */
static void show_text(struct console *console, const uint8_t *data, size_t n)
{
	struct buffer *shown = &console->shown;
	size_t wanted = console->until ? strlen(console->until) : 0;
	size_t tail;

	if (!n)
		return;
	if (console->show && fwrite(data, 1, n, console->show) != n && !console->write_error)
		console->write_error = errno;
	if (console->transcript)
		transcript_add(console->transcript, (struct bytes){data, n});
	console->mid_line = data[n - 1] != '\n';
	if (!console->until)
		return;
	buffer_add(shown, data, n);
	console->until_seen |= memmem(shown->data, shown->size, console->until, wanted) != NULL;
	tail = console->mid_line && wanted ? wanted - 1 : 0;
	if (shown->size > tail) {
		memmove(shown->data, shown->data + shown->size - tail, tail);
		shown->size = tail;
	}
}

void console_text(void *console, struct bytes text)
{
	show_text(console, text.data, text.size);
}

static struct bytes line_of(const struct console *console)
{
	return (struct bytes){console->line.data, console->line.size};
}

/* What was held is all there is of it; @zero: that is what ended it. */
static void finish_line(struct console *console, bool zero)
{
	if (console->line.size && (console->framed || zero))
		scan_piece(console->scan, line_of(console));
	else if (console->line.size)
		scan_line(console->scan, line_of(console));
	console->line.size = 0;
	console->framed = zero;
	console->idle = 0;
}

bool console_amid_frame(const struct console *console)
{
	return console->framed && console->line.size && scan_may_be_frame(console->scan, line_of(console));
}

static bool has_marker(const struct console *console)
{
	return memmem(console->line.data, console->line.size, BAREPROF_TEXT_MARKER, sizeof(BAREPROF_TEXT_MARKER) - 1);
}

/* How many bytes at the end of what is held may be the start of a marker. */
static size_t marker_start(const struct console *console)
{
	struct bytes line = line_of(console);
	size_t n = sizeof(BAREPROF_TEXT_MARKER) - 2;

	if (n > line.size)
		n = line.size;
	while (n && memcmp(line.data + line.size - n, BAREPROF_TEXT_MARKER, n))
		n--;
	return n;
}

/* Show a line that has no end yet. */
static void show_partial(struct console *console)
{
	struct buffer *line = &console->line;
	size_t keep = marker_start(console);

	show_text(console, line->data, line->size - keep);
	memmove(line->data, line->data + line->size - keep, keep);
	line->size = keep;
	console->framed = false;
}

/* Bytes up to the end of a line, or of what came. */
static void add_text(struct console *console, const uint8_t *at, const uint8_t *stop)
{
	size_t size;

	buffer_add(&console->line, at, (size_t)(stop - at));
	size = console->line.size;
	if (stop[-1] != '\n' && size < PREFIX_MAX_BYTES)
		return;
	if (console_amid_frame(console))
		return;
	if (stop[-1] == '\n' || size > LINE_MAX_BYTES)
		finish_line(console, false);
	else if (!has_marker(console))
		show_partial(console);
}

void console_add(struct console *console, struct bytes bytes)
{
	const uint8_t *end = bytes.data + bytes.size;
	const uint8_t *at = bytes.data;

	if (console->log)
		fwrite(bytes.data, 1, bytes.size, console->log);
	console->got_output |= bytes.size > 0;
	console->idle = 0;
	while (at < end) {
		const uint8_t *zero = memchr(at, 0, (size_t)(end - at));
		const uint8_t *piece_end = zero ? zero : end;

		while (at < piece_end) {
			const uint8_t *stop = memchr(at, '\n', (size_t)(piece_end - at));

			stop = stop ? stop + 1 : piece_end;
			add_text(console, at, stop);
			at = stop;
		}
		if (zero)
			finish_line(console, true);
		at += zero != NULL;
	}
	flush_shown(console);
}

void console_idle(struct console *console)
{
	if (!console->line.size)
		return;
	/* Two zero bytes and noise in between must not keep a console back. */
	if (console_amid_frame(console) && ++console->idle < FRAME_IDLE)
		return;
	if (console->framed && memchr(console->line.data, '\n', console->line.size))
		finish_line(console, false);
	else if (!has_marker(console))
		show_partial(console);
	flush_shown(console);
}

void console_end(struct console *console)
{
	finish_line(console, false);
	flush_shown(console);
	buffer_free(&console->line);
	buffer_free(&console->shown);
}
