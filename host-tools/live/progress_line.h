/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress_line.h - one line on the terminal that says how far a dump has come.
 */
#ifndef BAREPROF_HOST_PROGRESS_LINE_H
#define BAREPROF_HOST_PROGRESS_LINE_H

#include "dump_progress.h"

struct progress_line {
	const struct dump_progress *dumps;
	bool on; /* there is a terminal to show it on */
	bool shown; /* the line stands there now */
	double next; /* not before that time */
};

/* progress_line_start - a line for what @dumps sees, or NULL, if standard error is a terminal. */
void progress_line_start(struct progress_line *line, const struct dump_progress *dumps);

/* progress_line_bytes - from time to time: @done of @total bytes of @name have arrived (@total 0: unknown). */
void progress_line_bytes(struct progress_line *line, const char *name, uint64_t done, uint64_t total);

/* progress_line_show - from time to time; progress_line_clear - before anything else is printed. */
void progress_line_show(struct progress_line *line);
void progress_line_clear(struct progress_line *line);

#endif
