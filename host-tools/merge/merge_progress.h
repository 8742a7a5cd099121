/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_progress.h - shows the progress of a merge in one line of the terminal.
 */
#ifndef BAREPROF_HOST_MERGE_PROGRESS_H
#define BAREPROF_HOST_MERGE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct merge_progress {
	bool on; /* standard error is a terminal */
	bool shown; /* the line is on the terminal now */
	size_t count; /* number of inputs */
	size_t done; /* number of inputs that are done */
	uint64_t bytes; /* sum of the sizes of the inputs that are done */
	double start; /* seconds_now() at the start of the merge */
	double next; /* seconds_now() at which the line may be updated again */
};

/*
 * merge_progress_start - starts to measure the progress of @count inputs. Nothing is shown if standard error
 * is not a terminal, or during the first half second.
 */
void merge_progress_start(struct merge_progress *progress, size_t count);

/*
 * merge_progress_step - counts one more input, with a size of @bytes, as done. @context is
 * the struct merge_progress.
 */
void merge_progress_step(void *context, uint64_t bytes);

/* merge_progress_clear - removes the line. Call it before printing anything else. */
void merge_progress_clear(struct merge_progress *progress);

#endif
