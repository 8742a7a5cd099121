/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_blocks.c - keeps the estimated runs of all blocks. */
#include "sample_blocks.h"

#include <stdlib.h>

struct keeper {
	const struct sample_program *program;
	struct sample_function_blocks *functions;
};

static void keep(void *context, const struct code_counts *counts)
{
	const struct code_graph *graph = counts->graph;
	const struct keeper *keeper = context;
	struct sample_function_blocks *function = &keeper->functions[counts->function - keeper->program->functions];
	size_t i;

	function->list = allocate(graph->flow.block_count, sizeof(*function->list));
	function->count = graph->flow.block_count;
	function->guessed = graph->guessed;
	for (i = 0; i < function->count; i++)
		function->list[i] = (struct sample_block){graph->addresses[i], graph->flow.blocks[i].instructions,
			graph->flow.blocks[i].samples, graph->flow.blocks[i].count};
}

uint64_t *sample_block_starts(const struct probes *probes, size_t *count)
{
	uint64_t *starts = allocate(probes->count + 1, sizeof(*starts));
	size_t i;

	*count = 0;
	for (i = 0; i < probes->count; i++) {
		const struct probe *probe = &probes->probes[i];
		bool first = probe->index == 1 && probes->nodes[probe->node].parent == PROBE_NO_PARENT;

		/* No jump leads to the first block of a function. */
		if (probe->type == PROBE_BLOCK && !first)
			starts[(*count)++] = probe->address;
	}
	return starts;
}

double sample_blocks_infer(
	const struct sample_program *program, const struct samples *samples, code_counts_each *each, void *context)
{
	struct probes probes;
	struct error error;
	uint64_t *starts;
	size_t count;
	double found;

	/* Damaged probes only cost precision. `probes check` and `sample profile` report them. */
	if (probes_read(&probes, &program->image, &error) != STATUS_OK)
		probes.count = 0;
	starts = sample_block_starts(&probes, &count);
	found = code_counts_infer(program, samples, starts, count, each, context);
	free(starts);
	probes_free(&probes);
	return found;
}

struct sample_function_blocks *sample_blocks_make(const struct sample_program *program, const struct samples *samples)
{
	struct keeper keeper = {program, allocate(program->function_count + 1, sizeof(*keeper.functions))};

	sample_blocks_infer(program, samples, keep, &keeper);
	return keeper.functions;
}

void sample_blocks_free(struct sample_function_blocks *blocks, const struct sample_program *program)
{
	size_t i;

	for (i = 0; blocks && i < program->function_count; i++)
		free(blocks[i].list);
	free(blocks);
}
