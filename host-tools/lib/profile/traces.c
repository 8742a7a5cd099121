/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traces.c - a bounded set of traces, the same for any order of adding.
 */
#include "traces.h"

#include <stdlib.h>

#define MIX 0x9e3779b97f4a7c15u

/* Spread evenly, and the same everywhere: files are compared. */
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

/* Keep @trace, in the place of the last in rank if there is no other. */
static void keep(struct model *model, struct trace trace)
{
	struct trace *last = &trace;
	struct trace given;
	size_t i;

	if (!model->traces)
		model->traces = allocate(TRACES_MAX, sizeof(*model->traces));
	if (model->trace_count < TRACES_MAX) {
		model->traces[model->trace_count++] = trace;
		return;
	}
	for (i = 0; i < model->trace_count; i++)
		if (compare_ranks(&model->traces[i], last) > 0)
			last = &model->traces[i];
	given = *last;
	*last = trace;
	free(given.references);
}

void traces_add(struct model *model, const struct reading *reading, uint64_t weight, uint64_t *references, size_t count)
{
	bool overflow = false;
	struct trace trace = {
		.weight = count_scale(weight, reading->weight, &overflow), .references = references, .count = count};

	if (!reading_takes_rest(reading)) {
		free(references);
		return;
	}
	trace.rank = rank_of(&trace);
	keep(model, trace);
	model->trace_stream = count_add(model->trace_stream, 1, &overflow);
}

void traces_skipped(struct model *model, const struct reading *reading, uint64_t count, uint64_t stream)
{
	bool overflow = false;

	if (reading_takes_rest(reading) && stream > count)
		model->trace_stream = count_add(model->trace_stream, stream - count, &overflow);
}

void traces_join(struct model *model, struct model *from)
{
	bool overflow = false;
	size_t i;

	for (i = 0; i < from->trace_count; i++)
		keep(model, from->traces[i]);
	from->trace_count = 0;
	model->trace_stream = count_add(model->trace_stream, from->trace_stream, &overflow);
}

void traces_free(struct model *model)
{
	size_t i;

	for (i = 0; i < model->trace_count; i++)
		free(model->traces[i].references);
	free(model->traces);
}

void traces_sort(struct model *model)
{
	if (model->trace_count)
		qsort(model->traces, model->trace_count, sizeof(*model->traces), compare_contents);
	else
		model->variants &= ~BAREPROF_VARIANT_TEMPORAL;
}
