/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_progress.h - one line on the terminal that says how far a merge is.
 */
#ifndef BAREPROF_HOST_MERGE_PROGRESS_H
#define BAREPROF_HOST_MERGE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct merge_progress {
	bool on; /* there is a terminal to show it on */
	bool shown; /* the line stands there now */
	size_t count; /* inputs */
	size_t done;
	uint64_t bytes; /* of those */
	double start;
	double next; /* not before that time */
};

/* merge_progress_start - of @count inputs. Nothing is shown if standard error is no terminal, or if it takes no time. */
void merge_progress_start(struct merge_progress *progress, size_t count);

/* merge_progress_step - one more input, of @bytes, is done. @context is the progress: for struct merge_job. */
void merge_progress_step(void *context, uint64_t bytes);

/* merge_progress_clear - before anything else is printed. */
void merge_progress_clear(struct merge_progress *progress);

#endif
