/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress.h - one line on the terminal that says how far a dump has come.
 */
#ifndef BAREPROF_HOST_PROGRESS_H
#define BAREPROF_HOST_PROGRESS_H

#include "watch.h"

struct progress {
	const struct watch *watch;
	bool on; /* there is a terminal to show it on */
	bool shown; /* the line stands there now */
	double next; /* not before that time */
};

/* progress_start - a line for what @watch sees, if standard error is a terminal. */
void progress_start(struct progress *progress, const struct watch *watch);

/* progress_show - from time to time; progress_clear - before anything else is printed. */
void progress_show(struct progress *progress);
void progress_clear(struct progress *progress);

#endif
