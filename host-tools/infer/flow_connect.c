/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flow_connect.c - leads control to loops that have samples, although the blocks before and after them have none.
 *
 * For each such loop, a search finds a way from an entry of the function to the loop, and from there to an exit. All
 * blocks and edges on the way get the same small count, so that a block still runs as often as control enters it.
 */
#include "bytes.h"
#include "flow.h"

#include <stdlib.h>

#define NONE SIZE_MAX

struct finder {
	struct flow *flow;
	size_t *first; /* for each block, the index of its first edge in @leaving; one more element marks the end */
	size_t *leaving; /* indices of edges, by the block that they leave */
	bool *reached; /* control reaches the block over edges with counts */
	/* for each block that the search has found: the edge that leads to it, or NONE for the start */
	size_t *by;
	size_t *blanks; /* number of blocks without a count on the way to the block; NONE: not found yet */
	size_t *near; /* blocks from which the search goes on */
	size_t *far; /* those whose way has one block without a count more */
};

static void list_edges(struct finder *finder)
{
	const struct flow *flow = finder->flow;
	size_t i;

	for (i = 0; i < flow->edge_count; i++)
		finder->first[flow->edges[i].from + 1]++;
	for (i = 0; i < flow->block_count; i++)
		finder->first[i + 1] += finder->first[i];
	/* This moves each start to the end of the block's edges, which is the start of the next block. */
	for (i = 0; i < flow->edge_count; i++)
		finder->leaving[finder->first[flow->edges[i].from]++] = i;
	for (i = flow->block_count; i; i--)
		finder->first[i] = finder->first[i - 1];
	finder->first[0] = 0;
}

/* Marks @block and all blocks to which control gets from it. */
static void reach(struct finder *finder, size_t block)
{
	const struct flow *flow = finder->flow;
	size_t *stack = finder->near;
	size_t count = 0;
	size_t i;

	if (finder->reached[block])
		return;
	finder->reached[block] = true;
	stack[count++] = block;
	while (count) {
		block = stack[--count];
		for (i = finder->first[block]; i < finder->first[block + 1]; i++) {
			const struct flow_edge *edge = &flow->edges[finder->leaving[i]];

			if (edge->count > 0 && !finder->reached[edge->to]) {
				finder->reached[edge->to] = true;
				stack[count++] = edge->to;
			}
		}
	}
}

static void start_at(struct finder *finder, size_t block, size_t *count)
{
	finder->blanks[block] = !(finder->flow->blocks[block].count > 0);
	finder->by[block] = NONE;
	if (finder->blanks[block])
		finder->far[count[1]++] = block;
	else
		finder->near[count[0]++] = block;
}

/*
 * Finds a way with as few blocks without counts as possible. It leads from @start, or from an entry if @start is NONE,
 * to @goal, or to an exit if @goal is NONE. Returns the last block of the way, or NONE if there is no way.
 */
static size_t find_way(struct finder *finder, size_t start, size_t goal)
{
	const struct flow *flow = finder->flow;
	size_t count[2] = {0, 0}; /* of @near and @far */
	size_t blanks;
	size_t i;

	for (i = 0; i < flow->block_count; i++)
		finder->blanks[i] = NONE;
	for (i = 0; i < flow->block_count; i++)
		if (start == NONE ? flow->blocks[i].enters : i == start)
			start_at(finder, i, count);
	for (blanks = 0; count[0] || count[1]; blanks++) {
		while (count[0]) {
			size_t block = finder->near[--count[0]];

			/* A shorter way to the block was found after it came into the list. */
			if (finder->blanks[block] != blanks)
				continue;
			if (goal == NONE ? flow->blocks[block].leaves : block == goal)
				return block;
			for (i = finder->first[block]; i < finder->first[block + 1]; i++) {
				size_t edge = finder->leaving[i];
				size_t to = flow->edges[edge].to;
				size_t more = !(flow->blocks[to].count > 0);

				if (blanks + more >= finder->blanks[to])
					continue;
				finder->blanks[to] = blanks + more;
				finder->by[to] = edge;
				if (more)
					finder->far[count[1]++] = to;
				else
					finder->near[count[0]++] = to;
			}
		}
		for (; count[1]; count[1]--)
			finder->near[count[0]++] = finder->far[count[1] - 1];
	}
	return NONE;
}

/* Returns the number of instructions on the way that ends at @block. */
static double instructions_on_way(const struct finder *finder, size_t block)
{
	const struct flow *flow = finder->flow;
	double sum = 0;

	for (;; block = flow->edges[finder->by[block]].from) {
		sum += flow->blocks[block].instructions;
		if (finder->by[block] == NONE)
			return sum;
	}
}

/* Adds @count to all edges on the way that ends at @block, and to all blocks but the first. Returns the first block. */
static size_t add_way(const struct finder *finder, size_t block, double count)
{
	while (finder->by[block] != NONE) {
		struct flow_edge *edge = &finder->flow->edges[finder->by[block]];

		finder->flow->blocks[block].count += count;
		edge->count += count;
		block = edge->from;
	}
	return block;
}

/*
 * Leads control to @block and away from it. If the way has I instructions and no sample hit them, they hardly ran more
 * often than 1 / I times. If only some of them have no samples, 1 / I is even less.
 */
static void connect(struct finder *finder, size_t block)
{
	struct flow *flow = finder->flow;
	double count = flow->blocks[block].count;
	double instructions;
	size_t end = find_way(finder, block, NONE);
	size_t start;

	if (end == NONE)
		return;
	instructions = instructions_on_way(finder, end);
	if (find_way(finder, NONE, block) == NONE)
		return;
	instructions += instructions_on_way(finder, block);
	if (instructions * count > 1)
		count = 1 / instructions;
	start = add_way(finder, block, count);
	flow->blocks[start].count += count;
	/* Only the last way that was found is known, and the counts have changed. */
	add_way(finder, find_way(finder, block, NONE), count);
	reach(finder, start);
}

void flow_connect(struct flow *flow)
{
	/* The search starts at each block at most once, and follows each edge at most once. */
	size_t room = flow->block_count + flow->edge_count + 1;
	struct finder finder = {
		.flow = flow,
		.first = allocate(flow->block_count + 2, sizeof(*finder.first)),
		.leaving = allocate(flow->edge_count + 1, sizeof(*finder.leaving)),
		.reached = allocate(flow->block_count + 1, sizeof(*finder.reached)),
		.by = allocate(flow->block_count + 1, sizeof(*finder.by)),
		.blanks = allocate(flow->block_count + 1, sizeof(*finder.blanks)),
		.near = allocate(room, sizeof(*finder.near)),
		.far = allocate(room, sizeof(*finder.far)),
	};
	size_t i;

	list_edges(&finder);
	for (i = 0; i < flow->block_count; i++)
		if (flow->blocks[i].enters && flow->blocks[i].count > 0)
			reach(&finder, i);
	for (i = 0; i < flow->block_count; i++)
		if (flow->blocks[i].count > 0 && !finder.reached[i])
			connect(&finder, i);
	free(finder.first);
	free(finder.leaving);
	free(finder.reached);
	free(finder.by);
	free(finder.blanks);
	free(finder.near);
	free(finder.far);
}
