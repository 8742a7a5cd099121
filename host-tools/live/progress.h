/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress.h - one line on the terminal that says how far a dump has come.
 */
#ifndef BAREPROF_HOST_PROGRESS_H
#define BAREPROF_HOST_PROGRESS_H

#include "dump_progress.h"

struct progress {
	const struct watch *watch;
	bool on; /* there is a terminal to show it on */
	bool shown; /* the line stands there now */
	double next; /* not before that time */
};

/* progress_start - a line for what @watch sees, or NULL, if standard error is a terminal. */
void progress_start(struct progress *progress, const struct watch *watch);

/* progress_bytes - from time to time: of @name @done bytes came, of @total or, if that is 0, of nobody knows how many. */
void progress_bytes(struct progress *progress, const char *name, uint64_t done, uint64_t total);

/* progress_show - from time to time; progress_clear - before anything else is printed. */
void progress_show(struct progress *progress);
void progress_clear(struct progress *progress);

#endif
