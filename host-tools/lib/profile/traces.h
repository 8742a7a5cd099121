/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traces.h - traces of temporal profiles. A trace is the order in which functions were called for
 * the first time in a run.
 * A merge of many runs keeps only a sample of the traces, as in llvm-profdata. Here each trace has
 * a rank, which is computed from its content, and the traces with the lowest ranks are kept.
 * Therefore the sample does not depend on the order of the inputs. Merging all inputs
 * at once and merging them in several steps also give the same sample.
 * llvm-profdata chooses the sample at random, and cuts off each trace after 10,000 functions. Here
 * the traces stay complete.
 */
#ifndef BAREPROF_HOST_TRACES_H
#define BAREPROF_HOST_TRACES_H

#include "add_options.h"

#include <stddef.h>

/* The maximum number of traces that are kept, the same as in llvm-profdata. */
#define TRACES_MAX 100u

struct trace {
	uint64_t weight;
	uint64_t *references; /* name hashes of functions, in the order of their first calls */
	size_t count;
	uint64_t rank; /* if there are too many traces, the traces with the highest ranks are dropped */
};

/* A set of traces. Before its first use it is all zeros; traces_free() frees its memory. */
struct traces {
	struct trace *list;
	size_t count;
	uint64_t stream_size; /* number of traces in all inputs, including those that were dropped */
};

/*
 * traces_add - adds a trace. @references are the name hashes of its @count functions. The weight of the trace
 * is @weight times options->weight. @references must come from allocate(), and belongs to @traces after the call.
 * Traces are added only to the first shard, so that a merge of all shards has each trace once.
 */
void traces_add(
	struct traces *traces, const struct add_options *options, uint64_t weight, uint64_t *references, size_t count);

/*
 * traces_skipped - increases @traces->stream_size by the number of traces that an input had dropped. The input was made
 * from @stream_size traces, and still had @count of them. These @count traces must have been added before.
 */
void traces_skipped(struct traces *traces, const struct add_options *options, uint64_t count, uint64_t stream_size);

/* traces_join - moves all traces of @from to @traces. The caller still frees @from with traces_free(). */
void traces_join(struct traces *traces, struct traces *from);
void traces_free(struct traces *traces);

/* traces_sort - sorts the traces by their content. */
void traces_sort(struct traces *traces);

#endif
