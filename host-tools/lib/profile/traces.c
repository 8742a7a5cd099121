/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traces.c - a set of traces with a maximum size. Its content does not depend on the order in which
 * the traces were added.
 */
#include "traces.h"
#include "bytes.h"
#include "count.h"

#include <assert.h>
#include <stdlib.h>

#define MIX 0x9e3779b97f4a7c15u

/*
 * Returns the rank of @trace, which is a hash of its content. This hash has no random seed, because
 * equal inputs must give equal files.
 */
static uint64_t rank_of(const struct trace *trace)
{
	uint64_t rank = trace->weight * MIX;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		rank = (rank ^ trace->references[i]) * MIX;
		rank ^= rank >> 32;
	}
	return rank;
}

static int compare_contents(const void *left, const void *right)
{
	const struct trace *a = left;
	const struct trace *b = right;
	size_t i;

	for (i = 0; i < a->count && i < b->count; i++)
		if (a->references[i] != b->references[i])
			return a->references[i] < b->references[i] ? -1 : 1;
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	return (a->weight > b->weight) - (a->weight < b->weight);
}

static int compare_ranks(const struct trace *a, const struct trace *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return compare_contents(a, b);
}

/* Adds @trace. If the set then has too many traces, the trace with the highest rank is dropped. */
static void keep_trace(struct traces *traces, struct trace trace)
{
	struct trace *last = &trace;
	struct trace given;
	size_t i;

	if (!traces->list)
		traces->list = allocate(TRACES_MAX, sizeof(*traces->list));
	if (traces->count < TRACES_MAX) {
		traces->list[traces->count++] = trace;
		return;
	}
	assert(traces->count == TRACES_MAX);
	for (i = 0; i < traces->count; i++)
		if (compare_ranks(&traces->list[i], last) > 0)
			last = &traces->list[i];
	given = *last;
	*last = trace;
	free(given.references);
}

void traces_add(
	struct traces *traces, const struct add_options *options, uint64_t weight, uint64_t *references, size_t count)
{
	bool overflow = false;
	struct trace trace = {
		.weight = count_scale(weight, options->weight, &overflow), .references = references, .count = count};

	if (!is_first_shard(options)) {
		free(references);
		return;
	}
	trace.rank = rank_of(&trace);
	keep_trace(traces, trace);
	traces->stream_size = count_add(traces->stream_size, 1, &overflow);
}

void traces_skipped(struct traces *traces, const struct add_options *options, uint64_t count, uint64_t stream_size)
{
	bool overflow = false;

	if (is_first_shard(options) && stream_size > count)
		traces->stream_size = count_add(traces->stream_size, stream_size - count, &overflow);
}

void traces_join(struct traces *traces, struct traces *from)
{
	bool overflow = false;
	size_t i;

	for (i = 0; i < from->count; i++)
		keep_trace(traces, from->list[i]);
	from->count = 0;
	traces->stream_size = count_add(traces->stream_size, from->stream_size, &overflow);
}

void traces_free(struct traces *traces)
{
	size_t i;

	for (i = 0; i < traces->count; i++)
		free(traces->list[i].references);
	free(traces->list);
}

void traces_sort(struct traces *traces)
{
	if (traces->count)
		qsort(traces->list, traces->count, sizeof(*traces->list), compare_contents);
}
