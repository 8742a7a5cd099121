/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress_line.c - shows the number of blocks and bytes, the rate and the remaining time of the dump that is arriving.
 */
#include "progress_line.h"
#include "clock.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Seconds between two updates, so that the user has time to read the line. */
#define INTERVAL 0.2

void progress_line_start(struct progress_line *line, const struct dump_progress *dumps)
{
	*line = (struct progress_line){.dumps = dumps, .on = terminal_takes_escapes(STDERR_FILENO)};
}

void progress_line_show(struct progress_line *line)
{
	const struct dump_state *dump = line->on ? line->dumps->current : NULL;
	double now = seconds_now();
	double time;

	if (!dump || now < line->next)
		return;
	line->next = now + INTERVAL;
	line->shown = true;
	time = now - dump->start;
	fprintf(stderr, "\r%08" PRIx32 ": %" PRIu64, dump->tag, dump->blocks);
	if (dump->last)
		fprintf(stderr, " of %" PRIu64, dump->last + 1);
	fprintf(stderr, " blocks, %.1f KB", (double)dump->bytes / 1000);
	/* Do not show the rate at first, because the measured time is too short. */
	if (time > INTERVAL)
		fprintf(stderr, ", %.1f KB/s", (double)dump->bytes / 1000 / time);
	if (time > INTERVAL && dump->last >= dump->blocks)
		fprintf(stderr, ", %.0f s left", time * (double)(dump->last + 1 - dump->blocks) / (double)dump->blocks);
	if (line->dumps->requests)
		fprintf(stderr, ", request %u for missing blocks", line->dumps->requests);
	fputs("\033[K", stderr);
}

void progress_line_bytes(struct progress_line *line, const char *name, uint64_t done, uint64_t total)
{
	double now = line->on ? seconds_now() : 0;

	if (!line->on || now < line->next)
		return;
	/* The first call only sets the time, so that a short transfer shows no line. */
	if (line->next) {
		fprintf(stderr, "\r%s: %.1f MB", name, (double)done / 1e6);
		if (total)
			fprintf(stderr, " of %.1f", (double)total / 1e6);
		fputs("\033[K", stderr);
		line->shown = true;
	}
	line->next = now + INTERVAL;
}

void progress_line_clear(struct progress_line *line)
{
	if (!line->shown)
		return;
	fputs("\r\033[K", stderr);
	line->shown = false;
	line->next = 0;
}
