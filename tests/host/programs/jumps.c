/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jumps.c IMAGE: prints where the jumps by tables in each function of an ELF file lead, as bareprof reads them. A line is
 * the function, the address of the jump, and the targets, or "unknown".
 */
#include "code_graph.h"
#include "code_step.h"

#include <inttypes.h>
#include <stdio.h>

struct program {
	struct image image;
	struct code_map map;
	struct disassembler disassembler;
};

/* Describes the instruction at @address. Sets *@next to the address after it. */
static struct code_step step_at(
	struct program *program, const struct code_range *range, uint64_t address, uint64_t *next)
{
	const struct image_section *section = image_where(&program->image, address, 1);
	struct bytes code;

	*next = address;
	if (!section ||
		!bytes_slice(image_content(&program->image, section), address - section->address, range->end - address,
			&code) ||
		!disassembler_next(&program->disassembler, range->thumb, &code, next))
		return (struct code_step){0};
	return code_step(&program->disassembler, &program->image);
}

/* Prints where control goes after @block. @next: the edge to this address is no jump. */
static void print_block(const struct code_graph *graph, size_t block, uint64_t next)
{
	const struct flow *flow = &graph->flow;
	size_t i;

	if (flow->blocks[block].leaves)
		printf(" unknown");
	for (i = 0; i < flow->edge_count; i++)
		if (flow->edges[i].from == block && graph->addresses[flow->edges[i].to] != next)
			printf(" 0x%" PRIx64, graph->addresses[flow->edges[i].to]);
	printf("\n");
}

static void print_function(struct program *program, const struct image_symbol *symbol)
{
	struct code_range range = {.start = symbol->value, .end = symbol->value + symbol->size, .thumb = symbol->thumb};
	struct code_graph graph;
	size_t block = 0;
	size_t i;

	if (!code_graph_read(&graph, &program->image, &program->map, &program->disassembler, &range))
		return;
	for (i = 0; i < graph.instruction_count; i++) {
		struct code_step step;
		uint64_t next;

		while (graph.addresses[block + 1] <= graph.instructions[i])
			block++;
		step = step_at(program, &range, graph.instructions[i], &next);
		if (!step.by_table)
			continue;
		printf("%s 0x%" PRIx64, symbol->name, graph.instructions[i]);
		print_block(&graph, block, step.goes_on ? next : 0);
	}
	code_graph_free(&graph);
}

int main(int argc, char **argv)
{
	struct error error = {0};
	struct program program = {0};
	size_t i;

	if (argc != 2 || image_open(&program.image, argv[1], &error)) {
		fprintf(stderr, "usage: jumps IMAGE\n");
		image_close(&program.image);
		return 1;
	}
	code_map_open(&program.map, &program.image);
	disassembler_open(&program.disassembler, &program.image, true);
	for (i = 0; i < program.image.symbol_count; i++)
		if (program.image.symbols[i].function && program.image.symbols[i].size)
			print_function(&program, &program.image.symbols[i]);
	disassembler_close(&program.disassembler);
	code_map_close(&program.map);
	image_close(&program.image);
	return 0;
}
