/* SPDX-License-Identifier: BSD-2-Clause */
/* console.c - splits the output of a console into text and blocks, as the table in console.h says. */
#include "console.h"

#include <bareprof/wire.h>
#include <errno.h>
#include <string.h>

/* A line with more bytes than this does not belong to a dump. */
#define LINE_MAX_BYTES (1u << 20)
/*
 * If this many bytes of a line have arrived, and they contain no marker, they are shown although the line has not
 * ended.
 */
#define PREFIX_MAX_BYTES 4096u
/*
 * A frame, or a line that a terminal cut, may arrive with pauses. The code waits for the next byte during this many
 * calls of console_idle(). After that, it stops waiting and shows the held bytes, or passes them to the scan.
 */
#define BLOCK_SILENCES 60u

/* Flushes the shown text. A write error is only stored, so that reading goes on. The caller reports the error. */
static void flush_shown(struct console *console)
{
	if (console->show && fflush(console->show) && !console->write_error)
		console->write_error = errno;
}

/* Shows a line or a part of a line, and looks for @until in it. */
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

static struct bytes held_bytes(const struct console *console)
{
	return (struct bytes){console->held.data, console->held.size};
}

/*
 * Passes all held bytes to the scan, and sets the state to @next. If @as_piece is true, the bytes are passed to
 * scan_piece(), otherwise to scan_lines().
 */
static void pass_held(struct console *console, bool as_piece, enum console_state next)
{
	if (console->held.size && as_piece)
		scan_piece(console->scan, held_bytes(console));
	else if (console->held.size)
		scan_lines(console->scan, held_bytes(console));
	console->held.size = 0;
	console->cut_size = 0;
	console->state = next;
	console->silences = 0;
}

/*
 * The first console->cut_size held bytes were held because they may have been the parts of one cut line. But the next
 * line does not continue the block, or has not arrived in time. So this function passes these bytes to the scan as
 * separate lines.
 */
static void pass_cut(struct console *console)
{
	struct buffer *held = &console->held;

	scan_lines(console->scan, (struct bytes){held->data, console->cut_size});
	held->size -= console->cut_size;
	memmove(held->data, held->data + console->cut_size, held->size);
	console->cut_size = 0;
	console->silences = 0;
}

/* Returns whether the held lines must stay held, because the block in them may continue in the next line. */
static bool keep_cut(struct console *console)
{
	struct buffer *held = &console->held;
	enum cut_state state = CUT_NONE;
	size_t used;

	if (console->state != CONSOLE_LINE || held->size > LINE_MAX_BYTES)
		return false;
	if (console->cut_size) {
		state = cut_line_add(&console->cut,
			(struct bytes){held->data + console->cut_size, held->size - console->cut_size}, &used);
		if (state == CUT_COMPLETE)
			return false;
		if (state == CUT_NONE)
			pass_cut(console);
	}
	if (state == CUT_NONE)
		state = cut_line_start(&console->cut, held_bytes(console));
	if (state == CUT_MORE)
		console->cut_size = held->size;
	return state == CUT_MORE;
}

static void on_line_end(struct console *console)
{
	if (!keep_cut(console))
		pass_held(console, console->state != CONSOLE_LINE, CONSOLE_LINE);
}

static void on_zero_byte(struct console *console)
{
	pass_held(console, true, CONSOLE_FRAME);
}

bool console_amid_frame(const struct console *console)
{
	return console->state == CONSOLE_FRAME && console->held.size &&
	       scan_may_be_frame(console->scan, held_bytes(console));
}

/*
 * Changes the state from CONSOLE_FRAME to CONSOLE_NOT_FRAME if the held bytes cannot become a frame, whatever bytes
 * follow.
 */
static void update_state(struct console *console)
{
	if (console->state == CONSOLE_FRAME && !console_amid_frame(console))
		console->state = CONSOLE_NOT_FRAME;
}

static bool has_marker(const struct console *console)
{
	return memmem(console->held.data, console->held.size, BAREPROF_TEXT_MARKER, sizeof(BAREPROF_TEXT_MARKER) - 1);
}

bool console_amid_block(const struct console *console)
{
	return has_marker(console) || console_amid_frame(console);
}

/* The held bytes may end with the start of a marker. Returns the size of this start in bytes, or 0. */
static size_t marker_start(const struct console *console)
{
	struct bytes held = held_bytes(console);
	size_t n = sizeof(BAREPROF_TEXT_MARKER) - 2;

	if (n > held.size)
		n = held.size;
	while (n && memcmp(held.data + held.size - n, BAREPROF_TEXT_MARKER, n))
		n--;
	return n;
}

/*
 * Shows a line that has not ended. Does not show a line with a marker, because a part of its block has not arrived yet.
 */
static void show_held(struct console *console)
{
	struct buffer *held = &console->held;
	size_t keep;

	if (has_marker(console))
		return;
	keep = marker_start(console);
	show_text(console, held->data, held->size - keep);
	memmove(held->data, held->data + held->size - keep, keep);
	held->size = keep;
	console->state = CONSOLE_LINE;
}

/*
 * Adds the bytes from @at up to @stop to the held bytes. The last of these bytes is a line end, or the last byte before
 * a zero byte, or the last byte that has arrived.
 */
static void add_text(struct console *console, const uint8_t *at, const uint8_t *stop)
{
	bool line_ended = stop[-1] == '\n';

	buffer_add(&console->held, at, (size_t)(stop - at));
	if (!line_ended && console->held.size < PREFIX_MAX_BYTES)
		return;
	update_state(console);
	if (console->state == CONSOLE_FRAME)
		return;
	if (line_ended || console->held.size > LINE_MAX_BYTES)
		on_line_end(console);
	else
		show_held(console);
}

void console_add(struct console *console, struct bytes bytes)
{
	const uint8_t *end = bytes.data + bytes.size;
	const uint8_t *at = bytes.data;

	if (console->log)
		fwrite(bytes.data, 1, bytes.size, console->log);
	console->got_output |= bytes.size > 0;
	console->silences = 0;
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
			on_zero_byte(console);
		at += zero != NULL;
	}
	flush_shown(console);
}

void console_idle(struct console *console)
{
	if (!console->held.size)
		return;
	update_state(console);
	/*
	 * After a zero byte, the bytes are held as a possible frame. If they are noise, stop holding them after a
	 * while, because the console's text must not wait for ever.
	 */
	if (console->state == CONSOLE_FRAME && ++console->silences < BLOCK_SILENCES)
		return;
	if (console->cut_size) {
		struct bytes rest = {console->held.data + console->cut_size, console->held.size - console->cut_size};

		if (cut_line_may_add(rest) && ++console->silences < BLOCK_SILENCES)
			return;
		pass_cut(console);
	}
	if (console->state != CONSOLE_LINE && memchr(console->held.data, '\n', console->held.size))
		on_line_end(console);
	else if (console->held.size)
		show_held(console);
	flush_shown(console);
}

void console_end(struct console *console)
{
	pass_held(console, console->state != CONSOLE_LINE, CONSOLE_LINE);
	flush_shown(console);
	cut_line_free(&console->cut);
	buffer_free(&console->held);
	buffer_free(&console->shown);
}
