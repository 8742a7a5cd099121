/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress.c - blocks, bytes, rate and time left of the dump that is coming in.
 */
#include "progress.h"
#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* So that the line can be read, and costs nothing: seconds. */
#define INTERVAL 0.2

void progress_start(struct progress *progress, const struct watch *watch)
{
	*progress = (struct progress){.watch = watch, .on = isatty(STDERR_FILENO)};
}

void progress_show(struct progress *progress)
{
	const struct watched *dump = progress->watch->current;
	double now = seconds_now();
	double time;

	if (!progress->on || !dump || now < progress->next)
		return;
	progress->next = now + INTERVAL;
	progress->shown = true;
	time = now - dump->start;
	fprintf(stderr, "\r%08" PRIx32 ": %" PRIu64, dump->tag, dump->blocks);
	if (dump->last)
		fprintf(stderr, " of %" PRIu64, dump->last + 1);
	fprintf(stderr, " blocks, %.1f KB", (double)dump->bytes / 1000);
	/* The first moments tell no rate. */
	if (time > INTERVAL)
		fprintf(stderr, ", %.1f KB/s", (double)dump->bytes / 1000 / time);
	if (time > INTERVAL && dump->last >= dump->blocks)
		fprintf(stderr, ", %.0f s left", time * (double)(dump->last + 1 - dump->blocks) / (double)dump->blocks);
	fputs("\033[K", stderr);
}

void progress_bytes(struct progress *progress, const char *name, uint64_t done, uint64_t total)
{
	double now = progress->on ? seconds_now() : 0;

	if (!progress->on || now < progress->next)
		return;
	/* What takes less than that needs none. */
	if (progress->next) {
		fprintf(stderr, "\r%s: %.1f MB", name, (double)done / 1e6);
		if (total)
			fprintf(stderr, " of %.1f", (double)total / 1e6);
		fputs("\033[K", stderr);
		progress->shown = true;
	}
	progress->next = now + INTERVAL;
}

void progress_clear(struct progress *progress)
{
	if (!progress->shown)
		return;
	fputs("\r\033[K", stderr);
	progress->shown = false;
	progress->next = 0;
}
