/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traces.h - the order in which the functions of temporal profiles were first
 * called: a trace for each run, up to a number of them.
 *
 * Of more runs than that a sample is kept, as llvm-profdata does. Here, each
 * trace has a rank that is computed from what is in it, and those of the lowest
 * ranks stay: the same ones in whatever order they came, and whether they were
 * merged at once or in parts. llvm-profdata takes them at random, and cuts them
 * after 10,000 functions; here they stay whole.
 */
#ifndef BAREPROF_HOST_TRACES_H
#define BAREPROF_HOST_TRACES_H

#include "add_options.h"

#include <stddef.h>

/* As many as llvm-profdata keeps. */
#define TRACES_MAX 100u

struct trace {
	uint64_t weight;
	uint64_t *references; /* of the names of functions, in the order in which they were first called */
	size_t count;
	uint64_t rank; /* when there are too many, those with the highest go */
};

/* Starts as all zeros, ends with traces_free(). */
struct traces {
	struct trace *list;
	size_t count;
	uint64_t stream_size; /* how many traces the inputs had */
};

/*
 * traces_add - @traces takes over @references (from allocate()). Of shards the
 * first one gets the traces: merged again they make the whole.
 */
void traces_add(
	struct traces *traces, const struct add_options *options, uint64_t weight, uint64_t *references, size_t count);

/* traces_skipped - an input had @stream_size traces, of which it had kept @count, which were added. */
void traces_skipped(struct traces *traces, const struct add_options *options, uint64_t count, uint64_t stream_size);

/* traces_join - add all of @from, which is empty after it. */
void traces_join(struct traces *traces, struct traces *from);
void traces_free(struct traces *traces);

/* traces_sort - by content. */
void traces_sort(struct traces *traces);

#endif
