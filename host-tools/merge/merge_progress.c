/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_progress.c - shows the number of inputs that are done, and the speed.
 */
#include "merge_progress.h"
#include "clock.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Seconds until the line appears for the first time. A shorter merge shows no line. */
#define PATIENCE 0.5
/* Seconds between two updates, so that the line is readable and costs little. */
#define INTERVAL 0.2

void merge_progress_start(struct merge_progress *progress, size_t count)
{
	double now = seconds_now();

	*progress = (struct merge_progress){
		.on = terminal_takes_escapes(STDERR_FILENO), .count = count, .start = now, .next = now + PATIENCE};
}

void merge_progress_step(void *context, uint64_t bytes)
{
	struct merge_progress *progress = context;
	double now;

	progress->done++;
	progress->bytes += bytes;
	if (!progress->on)
		return;
	now = seconds_now();
	if (now < progress->next)
		return;
	progress->next = now + INTERVAL;
	progress->shown = true;
	fprintf(stderr, "\r%zu of %zu inputs, %.1f MB, %.1f MB/s\033[K", progress->done, progress->count,
		(double)progress->bytes / 1e6, (double)progress->bytes / 1e6 / (now - progress->start));
}

void merge_progress_clear(struct merge_progress *progress)
{
	if (!progress->shown)
		return;
	fputs("\r\033[K", stderr);
	progress->shown = false;
}
