/* SPDX-License-Identifier: BSD-2-Clause */
/* code_counts.c - distributes samples to the blocks of functions, and infers the counts. */
#include "code_counts.h"

static int compare_samples(const void *left, const void *right)
{
	return compare_uint(((const struct sample *)left)->address, ((const struct sample *)right)->address);
}

/* The number of instructions in a block is its size. So the samples of an instruction belong to the whole block. */
static void add_samples(struct code_graph *graph, uint64_t address, double count)
{
	graph->flow.blocks[code_graph_block(graph, address)].samples += count;
}

/*
 * A counter of a histogram stands for several bytes. Each instruction gets a part of the counter, in proportion to the
 * number of its bytes.
 */
static void spread(struct code_graph *graph, const struct sample *sample, uint64_t bytes)
{
	uint64_t first = sample->address & ~(bytes - 1);
	size_t end = graph->flow.block_count;
	size_t i;

	for (i = 0; i < graph->instruction_count; i++) {
		uint64_t start = graph->instructions[i];
		uint64_t stop = i + 1 < graph->instruction_count ? graph->instructions[i + 1] : graph->addresses[end];
		uint64_t from = start > first ? start : first;
		uint64_t to = stop < first + bytes ? stop : first + bytes;

		if (from < to)
			add_samples(graph, start, (double)sample->count * (double)(to - from) / (double)bytes);
	}
}

/* Gives the samples between the start and the end of @graph to its blocks. Returns their number. */
static double take_samples(struct code_graph *graph, const struct samples *samples)
{
	uint64_t bytes = (uint64_t)1 << samples->shift;
	uint64_t start = graph->addresses[0];
	uint64_t end = graph->addresses[graph->flow.block_count];
	struct sample key = {.address = start & ~(bytes - 1)};
	size_t i = lower_bound(&key, samples->list, samples->count, sizeof(key), compare_samples);
	double total = 0;
	size_t block;

	for (; i < samples->count && samples->list[i].address < end; i++)
		if (samples->shift)
			spread(graph, &samples->list[i], bytes);
		else
			add_samples(graph, samples->list[i].address, (double)samples->list[i].count);
	for (block = 0; block < graph->flow.block_count; block++)
		total += graph->flow.blocks[block].samples;
	return total;
}

/* Returns whether a sample, or a counter of a histogram, is within the function. */
static bool is_hit(const struct samples *samples, uint64_t start, uint64_t end)
{
	uint64_t bytes = (uint64_t)1 << samples->shift;
	struct sample key = {.address = start & ~(bytes - 1)};
	size_t i = lower_bound(&key, samples->list, samples->count, sizeof(key), compare_samples);

	return i < samples->count && samples->list[i].address < end;
}

/* Control enters the first block from outside, or through a jump within the function. The latter is no call. */
static double count_entries(const struct flow *flow)
{
	double entries = flow->blocks[0].count;
	size_t i;

	for (i = 0; i < flow->edge_count; i++)
		if (!flow->edges[i].to)
			entries -= flow->edges[i].count;
	return entries > 0 ? entries : 0;
}

double code_counts_infer(const struct sample_program *program, const struct samples *samples, const uint64_t *starts,
	size_t start_count, code_counts_each *each, void *context)
{
	struct disassembler disassembler;
	struct code_map map;
	double total = 0;
	size_t i;

	code_map_open(&map, &program->image);
	disassembler_open(&disassembler, &program->image, true);
	for (i = 0; i < program->function_count; i++) {
		const struct sample_function *function = &program->functions[i];
		struct code_range range = {
			.start = function->address,
			.end = function->end,
			.thumb = program->symbols[function->alias]->thumb,
		};
		struct code_counts counts = {.function = function};
		struct code_graph graph;
		size_t first = lower_bound(&range.start, starts, start_count, sizeof(*starts), compare_numbers);
		size_t last;

		/* If functions overlap, an address belongs to the function that starts last. */
		if (i + 1 < program->function_count && function[1].address < range.end)
			range.end = function[1].address;
		if (!is_hit(samples, range.start, range.end))
			continue;
		last = lower_bound(&range.end, starts, start_count, sizeof(*starts), compare_numbers);
		range.starts = starts ? starts + first : NULL;
		range.start_count = last - first;
		if (!code_graph_read(&graph, &program->image, &map, &disassembler, &range))
			continue;
		counts.samples = take_samples(&graph, samples);
		flow_infer(&graph.flow);
		flow_connect(&graph.flow);
		counts.entries = count_entries(&graph.flow);
		counts.graph = &graph;
		total += counts.samples;
		each(context, &counts);
		code_graph_free(&graph);
	}
	disassembler_close(&disassembler);
	code_map_close(&map);
	return total;
}
