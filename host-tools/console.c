/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.c - split a guest's console into log text and blocks, line by line.
 */
#include "console.h"

#include <bareprof/wire.h>
#include <string.h>

/* A line longer than any of a dump is not waited for. */
#define LINE_MAX_BYTES (1u << 20)

/* Pass on a line or a part of one. */
static void show(struct console *console, const uint8_t *data, size_t n)
{
	struct buffer *shown = &console->shown;

	if (!n)
		return;
	if (console->show)
		fwrite(data, 1, n, console->show);
	if (console->transcript)
		transcript_add(console->transcript, (struct bytes){data, n});
	console->amid = data[n - 1] != '\n';
	if (!console->until)
		return;
	buffer_add(shown, data, n);
	console->seen |= memmem(shown->data, shown->size, console->until, strlen(console->until)) != NULL;
	if (!console->amid || shown->size > LINE_MAX_BYTES)
		shown->size = 0;
}

static void flush(struct console *console)
{
	if (console->show)
		fflush(console->show);
}

void console_text(void *console, struct bytes text)
{
	show(console, text.data, text.size);
}

static void take_line(struct console *console)
{
	if (console->line.size)
		scan_line(console->scan, (struct bytes){console->line.data, console->line.size});
	console->line.size = 0;
}

void console_add(struct console *console, struct bytes bytes)
{
	const uint8_t *end = bytes.data + bytes.size;
	const uint8_t *at = bytes.data;

	if (console->log)
		fwrite(bytes.data, 1, bytes.size, console->log);
	console->heard |= bytes.size > 0;
	while (at < end) {
		const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));

		stop = stop ? stop + 1 : end;
		buffer_add(&console->line, at, (size_t)(stop - at));
		at = stop;
		if (stop[-1] == '\n' || console->line.size > LINE_MAX_BYTES)
			take_line(console);
	}
	flush(console);
}

/* How many bytes at the end of @line may be the start of a marker. */
static size_t marker_start(struct bytes line)
{
	size_t n = sizeof(BAREPROF_TEXT_MARKER) - 2;

	if (n > line.size)
		n = line.size;
	while (n && memcmp(line.data + line.size - n, BAREPROF_TEXT_MARKER, n))
		n--;
	return n;
}

void console_idle(struct console *console)
{
	struct buffer *line = &console->line;
	size_t keep;

	if (!line->size || memmem(line->data, line->size, BAREPROF_TEXT_MARKER, sizeof(BAREPROF_TEXT_MARKER) - 1))
		return;
	keep = marker_start((struct bytes){line->data, line->size});
	show(console, line->data, line->size - keep);
	flush(console);
	memmove(line->data, line->data + line->size - keep, keep);
	line->size = keep;
}

void console_end(struct console *console)
{
	take_line(console);
	flush(console);
	buffer_free(&console->line);
	buffer_free(&console->shown);
}
