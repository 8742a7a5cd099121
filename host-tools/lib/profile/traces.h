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

#include "model.h"
#include "profiles.h"

/* As many as llvm-profdata keeps. */
#define TRACES_MAX 100u

/*
 * traces_add - the model takes over @references (from allocate()). Of shards the
 * first one gets the traces: merged again they make the whole.
 */
void traces_add(
	struct model *model, const struct reading *reading, uint64_t weight, uint64_t *references, size_t count);

/* traces_skipped - an input had @stream traces, of which it had kept @count, which were added. */
void traces_skipped(struct model *model, const struct reading *reading, uint64_t count, uint64_t stream);

void traces_join(struct model *model, struct model *from);
void traces_free(struct model *model);

/* traces_sort - by content. A model without traces is not temporal any more. */
void traces_sort(struct model *model);

#endif
