/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traces.h - traces of temporal profiles: the order in which the functions were
 * first called in a run.
 *
 * As in llvm-profdata, a merge of many runs keeps a sample of the traces. Here the rank of a
 * trace is computed from its content, and the traces with the lowest ranks are kept. So the
 * sample depends neither on the order of the inputs nor on whether they are merged at once or in
 * steps. llvm-profdata chooses at random and cuts traces after 10,000 functions; here they stay
 * complete.
 */
#ifndef BAREPROF_HOST_TRACES_H
#define BAREPROF_HOST_TRACES_H

#include "add_options.h"

#include <stddef.h>

/* The maximum number of traces, as in llvm-profdata. */
#define TRACES_MAX 100u

struct trace {
	uint64_t weight;
	uint64_t *references; /* to names of functions, in the order of their first calls */
	size_t count;
	uint64_t rank; /* if there are too many traces, those with the highest ranks are dropped */
};

/* Starts as all zeros, ends with traces_free(). */
struct traces {
	struct trace *list;
	size_t count;
	uint64_t stream_size; /* number of traces of all inputs, dropped ones included */
};

/*
 * traces_add - adds a trace with @count @references, which come from allocate() and are owned by
 * @traces after that. Only the first shard keeps traces, so that merging all shards gives each
 * trace once.
 */
void traces_add(
	struct traces *traces, const struct add_options *options, uint64_t weight, uint64_t *references, size_t count);

/*
 * traces_skipped - counts the traces that an input does not have any more: of @stream_size traces
 * it kept @count, which have been added.
 */
void traces_skipped(struct traces *traces, const struct add_options *options, uint64_t count, uint64_t stream_size);

/* traces_join - adds all traces of @from, which is empty after that. */
void traces_join(struct traces *traces, struct traces *from);
void traces_free(struct traces *traces);

/* traces_sort - sorts the traces by content. */
void traces_sort(struct traces *traces);

#endif
