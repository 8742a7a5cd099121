/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_probe_profile.c - gives the counts of machine code to the pseudo probes in it. */
#include "code_counts.h"
#include "sample_blocks.h"
#include "sample_profile.h"

#include <stdlib.h>

/* The GUID of the function at an address. */
struct start {
	uint64_t address; /* first, so that compare_numbers() finds it */
	uint64_t guid;
};

struct maker {
	struct sampleprof *profile;
	const struct probes *probes;
	struct start *starts; /* of all functions with probes, by address */
	size_t start_count;
	struct sampleprof_function **functions; /* of each node; NULL: not in the profile yet */
	struct sample_losses *losses;
};

uint64_t sample_scaled(double count)
{
	double scaled = count * CODE_COUNTS_SCALE;

	if (!(scaled > 0))
		return 0;
	if (scaled >= 1e18)
		return (uint64_t)1e18;
	return scaled < 1 ? 1 : (uint64_t)(scaled + 0.5);
}

/* Returns the name of the function of @node. */
static struct sampleprof_name *name_of(const struct maker *maker, const struct probe_node *node)
{
	struct bytes text = probe_name(maker->probes, node->guid);

	return text.size ? sampleprof_name(maker->profile, text) : sampleprof_name_of_guid(maker->profile, node->guid);
}

/*
 * Returns the function or inlinee of node @number. Adds it, and the functions into which it was inlined, if needed.
 * Returns NULL if the index of a call is larger than the largest in profile files, or if there are more calls inside
 * each other than in profile files.
 */
static struct sampleprof_function *function_of(struct maker *maker, uint32_t number)
{
	uint32_t chain[PROBE_DEPTH_MAX];
	size_t count;
	size_t i;

	if (maker->functions[number])
		return maker->functions[number];
	count = probe_chain(maker->probes, number, chain);
	for (i = 0; i < count; i++) {
		const struct probe_node *node = &maker->probes->nodes[chain[i]];
		const struct probe_descriptor *descriptor = probe_descriptor(&maker->probes->functions, node->guid);
		struct sampleprof_function **function = &maker->functions[chain[i]];

		if (*function)
			continue;
		if (!i)
			*function = sampleprof_function(maker->profile, name_of(maker, node));
		else if (node->call <= SAMPLEPROF_OFFSET_LAST)
			*function = sampleprof_inlinee(maker->profile, maker->functions[chain[i - 1]],
				(struct sampleprof_location){.offset = node->call}, name_of(maker, node));
		if (!*function)
			return NULL;
		if (descriptor)
			(*function)->hash = descriptor->hash;
	}
	return maker->functions[number];
}

static void find_starts(struct maker *maker)
{
	const struct probe_functions *functions = &maker->probes->functions;
	size_t i;

	maker->starts = allocate(functions->extent_count + 1, sizeof(*maker->starts));
	for (i = 0; i < functions->extent_count; i++)
		if (probe_descriptor(functions, functions->extents[i].guid))
			maker->starts[maker->start_count++] =
				(struct start){functions->extents[i].start, functions->extents[i].guid};
	if (maker->start_count)
		qsort(maker->starts, maker->start_count, sizeof(*maker->starts), compare_numbers);
}

/*
 * Says what the call of @probe called, if the machine code says it. In the source, this may be a call of a pointer whose
 * value the compiler found out later. Without the callee, clang would take such a call for cold.
 */
static void add_callee(const struct maker *maker, const struct code_graph *graph, const struct probe *probe,
	struct sampleprof_function *function, uint64_t count)
{
	struct sampleprof_location at = {.offset = probe->index};
	const struct code_call *call;
	const struct start *start;

	if (probe->type == PROBE_BLOCK || !count || !graph->call_count || !maker->start_count)
		return;
	call = bsearch(&probe->address, graph->calls, graph->call_count, sizeof(*graph->calls), compare_numbers);
	if (!call)
		return;
	start = bsearch(&call->target, maker->starts, maker->start_count, sizeof(*maker->starts), compare_numbers);
	if (start)
		sampleprof_add_callee(maker->profile, function, at,
			sampleprof_name(maker->profile, probe_name(maker->probes, start->guid)), count);
}

/* Gives the counts of the blocks of one function to the probes in them. */
static void take_counts(void *context, const struct code_counts *counts)
{
	const struct code_graph *graph = counts->graph;
	struct maker *maker = context;
	uint64_t end = graph->addresses[graph->flow.block_count];
	size_t at = probes_at(maker->probes, graph->addresses[0]);
	bool any = false;

	for (; at < maker->probes->count && maker->probes->probes[at].address < end; at++) {
		const struct probe *probe = &maker->probes->probes[at];
		double count = graph->flow.blocks[code_graph_block(graph, probe->address)].count;
		struct sampleprof_function *function = function_of(maker, probe->node);

		if (!function || probe->index > SAMPLEPROF_OFFSET_LAST)
			continue;
		sampleprof_add(maker->profile, function, (struct sampleprof_location){.offset = probe->index},
			sample_scaled(count));
		add_callee(maker, graph, probe, function, sample_scaled(count));
		/* The first block of a function has the probe 1. Parts that were split off do not have it. */
		if (probe->index == 1 && !function->depth)
			function->head += sample_scaled(counts->entries);
		any = true;
	}
	maker->losses->functions++;
	maker->losses->functions_left += !any;
	if (any)
		maker->losses->used += counts->samples;
	else
		maker->losses->left_samples += counts->samples;
}

void sample_probe_profile(struct sampleprof *profile, const struct sample_program *program,
	const struct samples *samples, const struct probes *probes, struct sample_losses *losses)
{
	struct maker maker = {.profile = profile, .probes = probes, .losses = losses};
	uint64_t *starts;
	size_t count;
	double found;

	profile->kind = SAMPLEPROF_PROBES;
	memset(losses, 0, sizeof(*losses));
	maker.functions = allocate(probes->node_count + 1, sizeof(*maker.functions));
	find_starts(&maker);
	starts = sample_block_starts(probes, &count);
	found = code_counts_infer(program, samples, starts, count, take_counts, &maker);
	losses->no_code = (double)samples_total(samples) - found;
	sampleprof_add_up(profile);
	free(starts);
	free(maker.functions);
	free(maker.starts);
}
