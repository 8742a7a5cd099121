/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_ranges.c - makes counts of ranges and branches from the estimated runs of blocks. */
#include "sample_ranges.h"
#include "sample_blocks.h"

#include <stdlib.h>

struct maker {
	struct sample_ranges *ranges;
	struct sample_losses *losses;
};

static void add_branch(struct sample_ranges *ranges, uint64_t from, uint64_t to, double runs)
{
	uint64_t count = sample_scaled(runs);

	if (!count)
		return;
	ranges->branches =
		array_grow(ranges->branches, ranges->branch_count, &ranges->branch_room, sizeof(*ranges->branches));
	ranges->branches[ranges->branch_count++] = (struct sampleprof_branch){from, to, count};
}

/* Returns the address of the last instruction of @block. */
static uint64_t last_instruction(const struct code_graph *graph, size_t block)
{
	size_t after = lower_bound(&graph->addresses[block + 1], graph->instructions, graph->instruction_count,
		sizeof(*graph->instructions), compare_numbers);

	return graph->instructions[after - 1];
}

static void take_counts(void *context, const struct code_counts *counts)
{
	const struct flow *flow = &counts->graph->flow;
	const uint64_t *addresses = counts->graph->addresses;
	const struct maker *maker = context;
	struct sample_ranges *ranges = maker->ranges;
	size_t i;

	for (i = 0; i < flow->block_count; i++) {
		uint64_t count = sample_scaled(flow->blocks[i].count);

		if (!count)
			continue;
		ranges->list = array_grow(ranges->list, ranges->count, &ranges->room, sizeof(*ranges->list));
		ranges->list[ranges->count++] =
			(struct sampleprof_range){addresses[i], last_instruction(counts->graph, i), count};
	}
	for (i = 0; i < flow->edge_count; i++) {
		const struct flow_edge *edge = &flow->edges[i];

		if (edge->to != edge->from + 1)
			add_branch(
				ranges, last_instruction(counts->graph, edge->from), addresses[edge->to], edge->count);
	}
	add_branch(ranges, 0, addresses[0], counts->entries);
	maker->losses->functions++;
	maker->losses->used += counts->samples;
}

void sample_ranges_make(struct sample_ranges *ranges, const struct sample_program *program,
	const struct samples *samples, struct sample_losses *losses)
{
	struct maker maker = {ranges, losses};

	memset(losses, 0, sizeof(*losses));
	losses->no_code = (double)samples_total(samples) - sample_blocks_infer(program, samples, take_counts, &maker);
}

void sample_ranges_free(struct sample_ranges *ranges)
{
	free(ranges->list);
	free(ranges->branches);
	*ranges = (struct sample_ranges){0};
}
