/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress_line.h - a line on the terminal that shows how much of a dump has arrived.
 */
#ifndef BAREPROF_HOST_PROGRESS_LINE_H
#define BAREPROF_HOST_PROGRESS_LINE_H

#include "dump_progress.h"

struct progress_line {
	const struct dump_progress *dumps;
	bool on; /* standard error is a terminal; otherwise nothing is shown */
	bool shown; /* the line is on the terminal now */
	double next; /* the line may be updated again when seconds_now() has reached this value */
};

/* progress_line_start - prepares a line about @dumps, which may be NULL. Shows nothing yet. */
void progress_line_start(struct progress_line *line, const struct dump_progress *dumps);

/*
 * progress_line_bytes - shows that @done of @total bytes of @name have arrived. If @total is 0, the total is unknown.
 */
void progress_line_bytes(struct progress_line *line, const char *name, uint64_t done, uint64_t total);

/*
 * progress_line_show - shows the progress of the current dump. It may be called often.
 * progress_line_clear - removes the line. Call it before anything else is printed.
 */
void progress_line_show(struct progress_line *line);
void progress_line_clear(struct progress_line *line);

#endif
