/* SPDX-License-Identifier: BSD-2-Clause */
/* code_graph.c - divides the code of a function into blocks, and finds the edges between them. */
#include "code_graph.h"
#include "code_step.h"
#include "code_targets.h"
#include "jump_table_x86.h"

#include <elf.h>
#include <stdlib.h>

/* The largest number of edges from jumps by tables. A function with more is read as if its tables were not known. */
#define TABLE_EDGES_MAX 1000000u

struct reader {
	const struct image *image;
	const struct code_map *map;
	const struct code_range *range;
	struct code_graph *graph;
	struct code_step *steps; /* of each instruction */
	struct code_effect *effects; /* of each instruction */
	size_t room;
	size_t step_room;
	size_t effect_room;
	bool *leaders; /* for each byte of the function: a block starts there */
	struct code_targets *targets; /* of each instruction; NULL: not known */
	struct code_targets common; /* of all jumps by tables, if the targets of each are not known */
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

/* Control does not go on to data. The call before it does not return. */
static void end_before_data(struct reader *reader)
{
	size_t count = reader->graph->instruction_count;

	if (!count || !reader->steps[count - 1].goes_on)
		return;
	reader->steps[count - 1].goes_on = false;
	reader->steps[count - 1].leaves = true;
}

/* Armv6-M has no long jump. So compilers use calls in large functions, where the register of the return is not needed. */
static void make_jump(const struct reader *reader, struct code_step *step, struct code_effect *effect)
{
	if (!reader->range->thumb || !step->calls || !inside(reader, step->target) ||
		step->target == reader->range->start)
		return;
	*step = (struct code_step){.jumps = true, .target = step->target};
	code_effect_jump(effect);
}

static void read_instructions(
	struct reader *reader, struct disassembler *disassembler, struct bytes code, uint64_t address)
{
	const struct code_range *range = reader->range;
	struct code_graph *graph = reader->graph;

	while (disassembler_next(disassembler, range->thumb, &code, &address)) {
		size_t n = graph->instruction_count;

		graph->instructions = array_grow(graph->instructions, n, &reader->room, sizeof(*graph->instructions));
		reader->steps = array_grow(reader->steps, n, &reader->step_room, sizeof(*reader->steps));
		reader->effects = array_grow(reader->effects, n, &reader->effect_room, sizeof(*reader->effects));
		graph->instructions[n] = disassembler->instruction->address;
		reader->steps[n] = code_step(disassembler, reader->image);
		reader->effects[n] = code_effect(disassembler, reader->image, range->thumb);
		make_jump(reader, &reader->steps[n], &reader->effects[n]);
		graph->instruction_count++;
	}
}

/* Reads the instructions of the function, without the data among them. */
static bool read_function(struct reader *reader, struct disassembler *disassembler)
{
	const struct code_range *range = reader->range;
	const struct image_section *section = image_where(reader->image, range->start, range->end - range->start);
	uint64_t address = range->start;
	struct bytes code;

	if (range->end <= range->start || !section)
		return false;
	while (address < range->end) {
		uint64_t end;

		if (code_map_part(reader->map, address, range->end, &end))
			end_before_data(reader);
		else if (bytes_slice(image_content(reader->image, section), address - section->address, end - address,
				 &code))
			read_instructions(reader, disassembler, code, address);
		address = end;
	}
	return reader->graph->instruction_count > 0;
}

/* Sorts the targets of tables, and keeps each once. Drops those at which no instruction starts. */
static void sort_targets(struct reader *reader)
{
	const struct code_graph *graph = reader->graph;
	struct code_targets *common = &reader->common;
	size_t count = 0;
	size_t i;

	if (common->count)
		qsort(common->list, common->count, sizeof(*common->list), compare_numbers);
	for (i = 0; i < common->count; i++) {
		uint64_t target = common->list[i];

		if ((!count || common->list[count - 1] != target) &&
			bsearch(&target, graph->instructions, graph->instruction_count, sizeof(target),
				compare_numbers))
			common->list[count++] = target;
	}
	common->count = count;
}

/* Returns the targets of instruction number @i. There are none if they are not known. */
static const struct code_targets *targets_of(const struct reader *reader, size_t i)
{
	static const struct code_targets none;

	if (!reader->steps[i].by_table)
		return &none;
	return reader->targets ? &reader->targets[i] : &reader->common;
}

/* Finds where jumps by tables lead. */
static void find_targets(struct reader *reader)
{
	const struct code_graph *graph = reader->graph;
	const struct code_listing listing = {reader->image, reader->map, reader->range->thumb, graph->instructions,
		reader->steps, reader->effects, graph->instruction_count};
	size_t i;

	if (reader->image->machine == EM_ARM || reader->image->machine == EM_AARCH64) {
		reader->targets = code_targets_find(&listing);
		return;
	}
	for (i = 0; i < graph->instruction_count; i++)
		if (reader->steps[i].address)
			jump_table_x86_read(reader->image, reader->steps[i].address, reader->range->start,
				reader->range->end, &reader->common.list, &reader->common.count);
	sort_targets(reader);
}

/* Makes the targets of jumps by tables the starts of blocks. */
static void lead_targets(struct reader *reader)
{
	const struct code_graph *graph = reader->graph;
	size_t edges = 0;
	size_t i;
	size_t k;

	for (i = 0; i < graph->instruction_count; i++)
		edges += targets_of(reader, i)->count;
	if (edges > TABLE_EDGES_MAX) {
		code_targets_free(reader->targets, graph->instruction_count);
		reader->targets = NULL;
		reader->common.count = 0;
	}
	for (i = 0; i < graph->instruction_count; i++) {
		const struct code_targets *targets = targets_of(reader, i);

		for (k = 0; k < targets->count; k++)
			lead(reader, targets->list[k]);
		reader->graph->guessed |= reader->steps[i].by_table && !targets->count;
	}
}

/* Marks the start of each block. */
static void find_leaders(struct reader *reader)
{
	const struct code_graph *graph = reader->graph;
	bool jumps = false;
	size_t i;

	lead(reader, reader->range->start);
	for (i = 0; i < graph->instruction_count; i++) {
		const struct code_step *step = &reader->steps[i];

		jumps |= step->by_table;
		if (step->jumps)
			lead(reader, step->target);
		if ((step->jumps || step->leaves) && i + 1 < graph->instruction_count)
			lead(reader, graph->instructions[i + 1]);
	}
	if (!jumps)
		return;
	find_targets(reader);
	lead_targets(reader);
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
	const struct code_targets *targets = targets_of(reader, last);
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
	for (i = 0; i < targets->count; i++) {
		size_t to = code_graph_block(graph, targets->list[i]);

		if (!step->goes_on || to != block + 1)
			add_edge(reader, block, to);
	}
	if (step->leaves && !targets->count)
		graph->flow.blocks[block].leaves = true;
}

/* Returns for each block whether it has an instruction with an effect. */
static bool *find_effects(const struct reader *reader)
{
	const struct flow *flow = &reader->graph->flow;
	bool *effects = allocate(flow->block_count, sizeof(*effects));
	size_t at = 0;
	size_t i;

	for (i = 0; i < flow->block_count; i++) {
		size_t end = at + (size_t)flow->blocks[i].instructions;

		for (; at < end; at++)
			effects[i] |= !reader->steps[at].fills;
	}
	return effects;
}

/*
 * Control enters at the first block, and at blocks that no known edge leads to, unless they only fill space: otherwise
 * control could enter each loop through the space before it, and not through the function. If the targets of a jump are
 * not known, control may also enter where the compiler began a block.
 */
static void find_entries(struct reader *reader)
{
	struct code_graph *graph = reader->graph;
	bool *has_edge = allocate(graph->flow.block_count, sizeof(*has_edge));
	bool *effects = find_effects(reader);
	size_t i;

	for (i = 0; i < graph->flow.edge_count; i++)
		has_edge[graph->flow.edges[i].to] = true;
	for (i = 0; i < graph->flow.block_count; i++)
		graph->flow.blocks[i].enters = !i || (!has_edge[i] && effects[i]);
	for (i = 0; i < reader->range->start_count && graph->guessed; i++)
		if (inside(reader, reader->range->starts[i]))
			graph->flow.blocks[code_graph_block(graph, reader->range->starts[i])].enters = true;
	free(has_edge);
	free(effects);
}

static void find_calls(struct reader *reader)
{
	struct code_graph *graph = reader->graph;
	size_t room = 0;
	size_t i;

	for (i = 0; i < graph->instruction_count; i++) {
		const struct code_step *step = &reader->steps[i];
		bool jumps = step->jumps && !step->goes_on && !inside(reader, step->target);

		if (!step->calls && !jumps)
			continue;
		graph->calls = array_grow(graph->calls, graph->call_count, &room, sizeof(*graph->calls));
		graph->calls[graph->call_count++] = (struct code_call){graph->instructions[i], step->target};
	}
}

bool code_graph_read(struct code_graph *graph, const struct image *image, const struct code_map *map,
	struct disassembler *disassembler, const struct code_range *range)
{
	struct reader reader = {.image = image, .map = map, .range = range, .graph = graph};
	size_t block = 0;
	size_t i;

	memset(graph, 0, sizeof(*graph));
	if (!read_function(&reader, disassembler)) {
		free(reader.steps);
		free(reader.effects);
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
	find_calls(&reader);
	code_targets_free(reader.targets, graph->instruction_count);
	free(reader.common.list);
	free(reader.steps);
	free(reader.effects);
	free(reader.leaders);
	return true;
}

void code_graph_free(struct code_graph *graph)
{
	free(graph->flow.blocks);
	free(graph->flow.edges);
	free(graph->addresses);
	free(graph->instructions);
	free(graph->calls);
}

size_t code_graph_block(const struct code_graph *graph, uint64_t address)
{
	size_t after = upper_bound(
		&address, graph->addresses, graph->flow.block_count, sizeof(*graph->addresses), compare_numbers);

	return after ? after - 1 : 0;
}
