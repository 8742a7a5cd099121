/* SPDX-License-Identifier: BSD-2-Clause */
/* code_graph.c - divides the code of a function into blocks, and finds the edges between them. */
#include "code_graph.h"
#include "code_step.h"
#include "jump_table.h"

#include <stdlib.h>

/* The largest number of edges from jumps by tables. A function with more is read as if its tables were not known. */
#define TABLE_EDGES_MAX 1000000u

struct reader {
	const struct image *image;
	const struct code_range *range;
	struct code_graph *graph;
	struct code_step *steps; /* of each instruction */
	size_t room;
	size_t step_room;
	bool *leaders; /* for each byte of the function: a block starts there */
	uint64_t *targets; /* of all jumps by tables, sorted */
	size_t target_count;
	size_t edge_room;
};

static bool inside(const struct reader *reader, uint64_t address)
{
	return address >= reader->range->start && address < reader->range->end;
}

static void lead(struct reader *reader, uint64_t address)
{
	if (inside(reader, address))
		reader->leaders[address - reader->range->start] = true;
}

static bool read_steps(struct reader *reader, struct disassembler *disassembler)
{
	const struct code_range *range = reader->range;
	const struct image_section *section = image_where(reader->image, range->start, range->end - range->start);
	struct code_graph *graph = reader->graph;
	uint64_t address = range->start;
	struct bytes code;

	if (range->end <= range->start || !section ||
		!bytes_slice(image_content(reader->image, section), range->start - section->address,
			range->end - range->start, &code))
		return false;
	while (disassembler_next(disassembler, range->thumb, &code, &address)) {
		size_t n = graph->instruction_count;

		graph->instructions = array_grow(graph->instructions, n, &reader->room, sizeof(*graph->instructions));
		reader->steps = array_grow(reader->steps, n, &reader->step_room, sizeof(*reader->steps));
		graph->instructions[n] = disassembler->instruction->address;
		reader->steps[n] = code_step(disassembler, reader->image);
		graph->instruction_count++;
	}
	return graph->instruction_count > 0;
}

/* Sorts the targets of tables, and keeps each once. Drops those at which no instruction starts. */
static void sort_targets(struct reader *reader)
{
	const struct code_graph *graph = reader->graph;
	size_t count = 0;
	size_t i;

	if (reader->target_count)
		qsort(reader->targets, reader->target_count, sizeof(*reader->targets), compare_numbers);
	for (i = 0; i < reader->target_count; i++) {
		uint64_t target = reader->targets[i];

		if ((!count || reader->targets[count - 1] != target) &&
			bsearch(&target, graph->instructions, graph->instruction_count, sizeof(target),
				compare_numbers))
			reader->targets[count++] = target;
	}
	reader->target_count = count;
}

/* Marks the start of each block. */
static void find_leaders(struct reader *reader)
{
	const struct code_graph *graph = reader->graph;
	size_t jumps = 0;
	size_t i;

	lead(reader, reader->range->start);
	for (i = 0; i < graph->instruction_count; i++) {
		const struct code_step *step = &reader->steps[i];

		jumps += step->by_table;
		if (step->jumps)
			lead(reader, step->target);
		if ((step->jumps || step->leaves) && i + 1 < graph->instruction_count)
			lead(reader, graph->instructions[i + 1]);
	}
	if (!jumps)
		return;
	for (i = 0; i < graph->instruction_count; i++)
		if (reader->steps[i].address)
			jump_table_read(reader->image, reader->steps[i].address, reader->range->start,
				reader->range->end, &reader->targets, &reader->target_count);
	sort_targets(reader);
	if (reader->target_count > TABLE_EDGES_MAX / jumps)
		reader->target_count = 0;
	for (i = 0; i < reader->target_count; i++)
		lead(reader, reader->targets[i]);
	reader->graph->guessed = !reader->target_count;
	for (i = 0; i < reader->range->start_count && reader->graph->guessed; i++)
		lead(reader, reader->range->starts[i]);
}

static void make_blocks(struct reader *reader)
{
	struct code_graph *graph = reader->graph;
	size_t n = 0;
	size_t i;

	graph->addresses = allocate(graph->instruction_count + 1, sizeof(*graph->addresses));
	graph->flow.blocks = allocate(graph->instruction_count, sizeof(*graph->flow.blocks));
	for (i = 0; i < graph->instruction_count; i++) {
		if (!i || reader->leaders[graph->instructions[i] - reader->range->start])
			graph->addresses[n++] = graph->instructions[i];
		graph->flow.blocks[n - 1].instructions++;
	}
	graph->addresses[n] = reader->range->end;
	graph->flow.block_count = n;
}

/* Adds an edge, if the previous edge is not the same. */
static void add_edge(struct reader *reader, size_t from, size_t to)
{
	struct flow *flow = &reader->graph->flow;
	const struct flow_edge *last = flow->edge_count ? &flow->edges[flow->edge_count - 1] : NULL;

	if (last && last->from == from && last->to == to)
		return;
	flow->edges = array_grow(flow->edges, flow->edge_count, &reader->edge_room, sizeof(*flow->edges));
	flow->edges[flow->edge_count++] = (struct flow_edge){(uint32_t)from, (uint32_t)to, 0};
}

/* Adds the edges of @block, whose last instruction is number @last. */
static void add_edges(struct reader *reader, size_t block, size_t last)
{
	const struct code_step *step = &reader->steps[last];
	struct code_graph *graph = reader->graph;
	size_t i;

	if (step->goes_on) {
		if (block + 1 < graph->flow.block_count)
			add_edge(reader, block, block + 1);
		else
			graph->flow.blocks[block].leaves = true;
	}
	if (step->jumps) {
		if (inside(reader, step->target))
			add_edge(reader, block, code_graph_block(graph, step->target));
		else
			graph->flow.blocks[block].leaves = true;
	}
	if (step->by_table && reader->target_count)
		for (i = 0; i < reader->target_count; i++)
			add_edge(reader, block, code_graph_block(graph, reader->targets[i]));
	else if (step->leaves)
		graph->flow.blocks[block].leaves = true;
}

/*
 * Control enters at the first block, and at blocks that no known edge leads to. If the targets of a jump are not known,
 * it may also enter where the compiler began a block.
 */
static void find_entries(struct reader *reader)
{
	struct code_graph *graph = reader->graph;
	bool *has_edge = allocate(graph->flow.block_count, sizeof(*has_edge));
	size_t i;

	for (i = 0; i < graph->flow.edge_count; i++)
		has_edge[graph->flow.edges[i].to] = true;
	for (i = 0; i < graph->flow.block_count; i++)
		graph->flow.blocks[i].enters = !i || !has_edge[i];
	for (i = 0; i < reader->range->start_count && graph->guessed; i++)
		if (inside(reader, reader->range->starts[i]))
			graph->flow.blocks[code_graph_block(graph, reader->range->starts[i])].enters = true;
	free(has_edge);
}

bool code_graph_read(struct code_graph *graph, const struct image *image, struct disassembler *disassembler,
	const struct code_range *range)
{
	struct reader reader = {.image = image, .range = range, .graph = graph};
	size_t block = 0;
	size_t i;

	memset(graph, 0, sizeof(*graph));
	if (!read_steps(&reader, disassembler)) {
		free(reader.steps);
		code_graph_free(graph);
		return false;
	}
	reader.leaders = allocate(range->end - range->start, sizeof(*reader.leaders));
	find_leaders(&reader);
	make_blocks(&reader);
	for (i = 0; i < graph->instruction_count; i++) {
		bool ends =
			i + 1 == graph->instruction_count || graph->instructions[i + 1] == graph->addresses[block + 1];

		if (ends)
			add_edges(&reader, block++, i);
	}
	find_entries(&reader);
	free(reader.steps);
	free(reader.leaders);
	free(reader.targets);
	return true;
}

void code_graph_free(struct code_graph *graph)
{
	free(graph->flow.blocks);
	free(graph->flow.edges);
	free(graph->addresses);
	free(graph->instructions);
}

size_t code_graph_block(const struct code_graph *graph, uint64_t address)
{
	size_t after = upper_bound(
		&address, graph->addresses, graph->flow.block_count, sizeof(*graph->addresses), compare_numbers);

	return after ? after - 1 : 0;
}
