/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flow.c - tests the inference of runs from samples with random graphs. Each graph has loops, and many have blocks that
 * control cannot reach, or from which it cannot leave.
 */
#include "bytes.h"
#include "flow.h"
#include "throw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The largest difference between the flow into and out of a block, as a part of all flow. */
#define TOLERANCE 1e-5

static void add_edge(struct flow *flow, size_t from, size_t to)
{
	size_t i;

	for (i = 0; i < flow->edge_count; i++)
		if (flow->edges[i].from == from && flow->edges[i].to == to)
			return;
	flow->edges[flow->edge_count++] = (struct flow_edge){(uint32_t)from, (uint32_t)to, 0};
}

/* Makes a graph as compilers lay out code: most edges are short, and some go back. */
static void make(struct flow *flow, size_t count)
{
	size_t i;

	flow->block_count = count;
	flow->edge_count = 0;
	flow->blocks = allocate(count, sizeof(*flow->blocks));
	flow->edges = allocate(4 * count, sizeof(*flow->edges));
	for (i = 0; i < count; i++) {
		struct flow_block *block = &flow->blocks[i];

		block->instructions = (double)(1 + throw(12));
		block->enters = !i || !throw(40);
		block->leaves = i + 1 == count || !throw(8);
		if (i + 1 < count && throw(8))
			add_edge(flow, i, i + 1);
		if (throw(2))
			add_edge(flow, i, throw(3) || i < 2 ? (i + throw(8)) % count : i - throw(i < 30 ? i : 30));
	}
}

static void discard(struct flow *flow)
{
	free(flow->blocks);
	free(flow->edges);
}

/* Gives each block a random number of samples. Control flow need not be able to explain them. */
static void sample_anything(struct flow *flow)
{
	size_t i;

	for (i = 0; i < flow->block_count; i++)
		flow->blocks[i].samples = throw(3) ? (double) throw(1 + throw(2000)) : 0;
}

/* Walks through the graph, and gives each block one sample for each instruction that ran. Returns the number of runs. */
static double walk(struct flow *flow, double *runs, double *taken)
{
	double total = 0;
	size_t walks;
	size_t steps;
	size_t i;

	for (walks = 0; walks < 50; walks++) {
		size_t at = 0;
		size_t *path = allocate(400, sizeof(*path));
		size_t *edges = allocate(400, sizeof(*edges));
		bool left = false;

		for (steps = 0; steps < 400 && !left; steps++) {
			size_t out[8];
			size_t ways = 0;
			size_t way;

			for (i = 0; i < flow->edge_count && ways < 8; i++)
				if (flow->edges[i].from == at)
					out[ways++] = i;
			path[steps] = at;
			way = throw(ways + flow->blocks[at].leaves + !ways);
			if (way >= ways && !flow->blocks[at].leaves)
				break;
			left = way >= ways;
			edges[steps] = left ? flow->edge_count : out[way];
			at = left ? at : flow->edges[out[way]].to;
		}
		/* Only whole walks conserve flow. */
		for (i = 0; left && i < steps; i++) {
			runs[path[i]]++;
			taken[edges[i]]++;
			total++;
		}
		free(path);
		free(edges);
	}
	for (i = 0; i < flow->block_count; i++)
		flow->blocks[i].samples = runs[i] * flow->blocks[i].instructions;
	return total;
}

/* Returns the largest violation of the rules that each result obeys, as a part of all flow. */
static double worst(const struct flow *flow)
{
	double *in = allocate(flow->block_count, sizeof(*in));
	double *out = allocate(flow->block_count, sizeof(*out));
	double total = 0;
	double most = 0;
	size_t i;

	for (i = 0; i < flow->edge_count; i++) {
		out[flow->edges[i].from] += flow->edges[i].count;
		in[flow->edges[i].to] += flow->edges[i].count;
		if (!(flow->edges[i].count >= 0))
			most = HUGE_VAL;
	}
	for (i = 0; i < flow->block_count; i++) {
		const struct flow_block *block = &flow->blocks[i];
		double missing = block->count - in[i];
		double surplus = block->count - out[i];

		/* Control that comes from outside, or goes there, is on no edge. */
		missing = block->enters && missing > 0 ? 0 : fabs(missing);
		surplus = block->leaves && surplus > 0 ? 0 : fabs(surplus);
		most = missing > most ? missing : most;
		most = surplus > most ? surplus : most;
		total += block->samples / block->instructions;
		if (!(block->count >= 0) || !isfinite(block->count))
			most = HUGE_VAL;
	}
	free(in);
	free(out);
	return most <= 0 ? 0 : most / total;
}

static double sum_of_counts(const struct flow *flow)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < flow->block_count; i++)
		sum += flow->blocks[i].count;
	return sum;
}

/* Spreads marks over the edges until no more blocks get one. @used: over those with counts only. */
static void spread(const struct flow *flow, bool *marks, bool backwards, bool used)
{
	bool more = true;
	size_t i;

	while (more) {
		more = false;
		for (i = 0; i < flow->edge_count; i++) {
			const struct flow_edge *edge = &flow->edges[i];
			size_t from = backwards ? edge->to : edge->from;
			size_t to = backwards ? edge->from : edge->to;

			if (marks[from] && !marks[to] && (!used || edge->count > 0))
				more = marks[to] = true;
		}
	}
}

/* Returns how many blocks with counts control does not reach, although there is a way to the block and to an exit. */
static size_t lonely(const struct flow *flow)
{
	bool *reached = allocate(flow->block_count, sizeof(*reached));
	bool *reachable = allocate(flow->block_count, sizeof(*reachable));
	bool *ends = allocate(flow->block_count, sizeof(*ends));
	size_t count = 0;
	size_t i;

	for (i = 0; i < flow->block_count; i++) {
		reached[i] = flow->blocks[i].enters && flow->blocks[i].count > 0;
		reachable[i] = flow->blocks[i].enters;
		ends[i] = flow->blocks[i].leaves;
	}
	spread(flow, reached, false, true);
	spread(flow, reachable, false, false);
	spread(flow, ends, true, false);
	for (i = 0; i < flow->block_count; i++)
		count += flow->blocks[i].count > 0 && reachable[i] && ends[i] && !reached[i];
	free(reached);
	free(reachable);
	free(ends);
	return count;
}

static void verdict(bool good, const char *what, double value)
{
	printf("%sok - %s\n", good ? "" : "not ", what);
	if (!good)
		printf("    %g\n", value);
}

static void random_graphs(void)
{
	struct flow flow;
	double most = 0;
	size_t before = 0;
	size_t after = 0;
	size_t grown = 0;
	unsigned int i;

	for (i = 0; i < 200; i++) {
		double sum;
		double bad;

		throw_state = i;
		make(&flow, 1 + throw(1 + throw(200)));
		sample_anything(&flow);
		flow_infer(&flow);
		before += lonely(&flow);
		sum = sum_of_counts(&flow);
		flow_connect(&flow);
		/* A way adds at most 1 run for all of its blocks together. It may pass a block twice. */
		grown += sum_of_counts(&flow) > sum + 2 * (double)flow.block_count;
		after += lonely(&flow);
		bad = worst(&flow);
		if (bad > TOLERANCE)
			printf("    graph %u of %zu blocks: %g\n", i, flow.block_count, bad);
		most = bad > most ? bad : most;
		discard(&flow);
	}
	verdict(most <= TOLERANCE, "flow is conserved in 200 random graphs, and no count is negative", most);
	verdict(before > 0, "in some of them, control does not reach blocks that ran", (double)before);
	verdict(!grown, "what connects them is small", (double)grown);
	verdict(!after, "such blocks are connected with an entry and an exit", (double)after);
}

static void exact_samples(void)
{
	struct flow flow;
	double most = 0;
	double edges = 0;
	unsigned int i;

	for (i = 0; i < 100; i++) {
		double *runs;
		double *taken;
		double total;
		size_t k;

		throw_state = 1000 + i;
		make(&flow, 2 + throw(100));
		runs = allocate(flow.block_count, sizeof(*runs));
		taken = allocate(flow.edge_count + 1, sizeof(*taken));
		total = walk(&flow, runs, taken);
		flow_infer(&flow);
		for (k = 0; k < flow.block_count; k++) {
			double bad = fabs(flow.blocks[k].count - runs[k]) / (total > 0 ? total : 1);

			if (bad > TOLERANCE)
				printf("    graph %u, block %zu: %g runs, inferred %g\n", i, k, runs[k],
					flow.blocks[k].count);
			most = bad > most ? bad : most;
		}
		edges = worst(&flow) > edges ? worst(&flow) : edges;
		free(runs);
		free(taken);
		discard(&flow);
	}
	verdict(most <= TOLERANCE && edges <= TOLERANCE, "samples that obey the control flow are not changed", most);
}

static void no_samples(void)
{
	struct flow flow;
	double sum = 0;
	size_t i;

	throw_state = 7;
	make(&flow, 50);
	flow_infer(&flow);
	for (i = 0; i < flow.block_count; i++)
		sum += flow.blocks[i].count;
	for (i = 0; i < flow.edge_count; i++)
		sum += flow.edges[i].count;
	verdict(sum == 0, "without samples all counts are 0", sum);
	discard(&flow);
	flow = (struct flow){0};
	flow_infer(&flow);
	verdict(true, "a function without blocks", 0);
}

/* A loop that nothing leaves, and a block that nothing reaches, get no flow from elsewhere. */
static void dead_ends(void)
{
	struct flow_block blocks[] = {{.samples = 90, .instructions = 3, .enters = true, .leaves = true},
		{.samples = 40, .instructions = 4}, {.samples = 10, .instructions = 2, .leaves = true}};
	struct flow_edge edges[] = {{0, 1, 0}, {1, 1, 0}};
	struct flow flow = {blocks, 3, edges, 2};

	flow_infer(&flow);
	verdict(worst(&flow) <= TOLERANCE && blocks[2].count < 1e-3,
		"a loop without end, and a block that is not reachable", blocks[2].count);
	verdict(fabs(blocks[0].count - 30) < 0.01, "a dead end does not change the blocks before", blocks[0].count);
}

static void huge_graphs(void)
{
	struct flow flow;
	size_t i;

	for (i = 0; i < 2; i++) {
		double bad;
		size_t k;

		throw_state = 99 + i;
		make(&flow, 3000);
		sample_anything(&flow);
		/* The second graph is one long chain of loops, through which a change has to travel. */
		for (k = 0; i && k < flow.block_count; k++) {
			flow.blocks[k].enters = !k;
			flow.blocks[k].leaves = k + 1 == flow.block_count;
		}
		for (k = 0; i && k + 1 < flow.block_count; k++) {
			flow.edges[2 * k] = (struct flow_edge){(uint32_t)k, (uint32_t)k + 1, 0};
			flow.edges[2 * k + 1] = (struct flow_edge){(uint32_t)k, (uint32_t)(k % 3 ? k - 1 : k), 0};
			flow.edge_count = 2 * k + 2;
		}
		flow_infer(&flow);
		bad = worst(&flow);
		verdict(bad <= TOLERANCE, i ? "a chain of 3,000 loops" : "a graph of 3,000 blocks", bad);
		discard(&flow);
	}
}

int main(void)
{
	random_graphs();
	exact_samples();
	no_samples();
	dead_ends();
	huge_graphs();
	return 0;
}
