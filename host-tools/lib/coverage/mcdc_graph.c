/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mcdc_graph.c - the numbers of test vectors. clang numbers them while it makes the code that sets a bit of the bitmap,
 * and this file has to find the same numbers. (Source: the behaviour of clang 19 and 22.)
 */
#include "mcdc_graph.h"

#include <stdlib.h>

/* Fills in the nodes, apart from their numbers of paths. Returns false if an edge leads to a wrong condition. */
static bool add_nodes(struct mcdc_graph *graph, const struct region *const *conditions)
{
	uint32_t sum = 0;
	uint32_t i;
	int side;

	for (i = 0; i < graph->count; i++)
		graph->nodes[i] = (struct mcdc_node){.next = {conditions[i]->next[0], conditions[i]->next[1]}};
	for (i = 0; i < graph->count; i++)
		for (side = 0; side < 2; side++) {
			int next = graph->nodes[i].next[side];

			if (next < 0)
				continue;
			if (!next || (uint32_t)next >= graph->count)
				return false;
			graph->nodes[next].incoming_count++;
		}
	for (i = 0; i < graph->count; i++) {
		graph->nodes[i].incoming = sum;
		sum += graph->nodes[i].incoming_count;
	}
	return true;
}

/*
 * Follows all edges of @node. A condition is added to @queue when the last edge to it was followed. @filled[i] is the
 * number of edges to condition i that were followed. Returns the new length of the queue, or 0 if there are too many
 * paths.
 */
static uint32_t follow(struct mcdc_graph *graph, uint32_t node, uint32_t *filled, uint32_t *queue, uint32_t length)
{
	struct mcdc_node *from = &graph->nodes[node];
	uint32_t side;

	for (side = 0; side < 2; side++) {
		struct mcdc_node *next;
		uint32_t edge = 2 * node + side;

		if (from->next[side] < 0) {
			graph->ends[graph->end_count] = (struct mcdc_end){edge, graph->end_count, from->width, 0};
			graph->end_count++;
			continue;
		}
		next = &graph->nodes[from->next[side]];
		from->offset[side] = next->width;
		if (next->width > INT32_MAX - from->width)
			return 0;
		next->width += from->width;
		graph->incoming[next->incoming + filled[from->next[side]]++] = edge;
		if (filled[from->next[side]] == next->incoming_count)
			queue[length++] = (uint32_t)from->next[side];
	}
	return length;
}

/* Sorts by falling width, then by order. */
static int compare_ends(const void *left, const void *right)
{
	const struct mcdc_end *a = left;
	const struct mcdc_end *b = right;

	return a->width == b->width ? compare_uint(a->order, b->order) : compare_uint(b->width, a->width);
}

/* Gives each edge to the result the bits of its paths. Returns false if there are too many paths. */
static bool number_ends(struct mcdc_graph *graph)
{
	uint32_t i;

	qsort(graph->ends, graph->end_count, sizeof(*graph->ends), compare_ends);
	for (i = 0; i < graph->end_count; i++) {
		graph->ends[i].first = graph->vectors;
		if (graph->ends[i].width > INT32_MAX - graph->vectors)
			return false;
		graph->vectors += graph->ends[i].width;
	}
	return true;
}

/* Returns the number of paths that start with the edge @side of @node. */
static uint32_t paths_behind(const struct mcdc_graph *graph, const struct mcdc_node *node, uint32_t side)
{
	return node->next[side] < 0 ? 1 : graph->nodes[node->next[side]].paths;
}

bool mcdc_graph_build(
	struct mcdc_graph *graph, const struct region *const *conditions, uint32_t count, struct arena *arena)
{
	uint32_t *queue = arena_take(arena, count * sizeof(*queue));
	uint32_t *filled = arena_take(arena, count * sizeof(*filled));
	uint32_t length = 1;
	uint32_t i;

	*graph = (struct mcdc_graph){.count = count};
	graph->nodes = arena_take(arena, count * sizeof(*graph->nodes));
	graph->incoming = arena_take(arena, 2 * (size_t)count * sizeof(*graph->incoming));
	graph->ends = arena_take(arena, 2 * (size_t)count * sizeof(*graph->ends));
	if (!add_nodes(graph, conditions))
		return false;
	memset(filled, 0, count * sizeof(*filled));
	graph->nodes[0].width = 1;
	queue[0] = 0;
	for (i = 0; i < length; i++) {
		length = follow(graph, queue[i], filled, queue, length);
		if (!length)
			return false;
	}
	/* A condition in a cycle, or one that nothing leads to, never gets into the queue. */
	if (length != count || !number_ends(graph))
		return false;
	for (i = count; i-- > 0;) {
		struct mcdc_node *node = &graph->nodes[queue[i]];

		node->paths = paths_behind(graph, node, 0) + paths_behind(graph, node, 1);
	}
	return true;
}

/* Returns the edge to the result whose paths include @bit. */
static const struct mcdc_end *find_end(const struct mcdc_graph *graph, uint32_t bit)
{
	uint32_t low = 0;
	uint32_t high = graph->end_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (graph->ends[middle].first <= bit)
			low = middle;
		else
			high = middle;
	}
	return &graph->ends[low];
}

/* Returns the last edge to @node whose offset is at most @bit. */
static uint32_t find_incoming(const struct mcdc_graph *graph, const struct mcdc_node *node, uint32_t bit)
{
	uint32_t low = node->incoming;
	uint32_t high = node->incoming + node->incoming_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t edge = graph->incoming[middle];

		if (graph->nodes[edge / 2].offset[edge % 2] <= bit)
			low = middle;
		else
			high = middle;
	}
	return graph->incoming[low];
}

uint32_t mcdc_graph_rank(const struct mcdc_graph *graph, uint32_t bit, bool *result)
{
	const struct mcdc_end *end = find_end(graph, bit);
	uint32_t edge = end->edge;
	uint32_t rank = 0;

	*result = edge % 2;
	bit -= end->first;
	for (;;) {
		const struct mcdc_node *node = &graph->nodes[edge / 2];

		if (edge % 2)
			rank += paths_behind(graph, node, 0);
		if (edge / 2 == 0)
			return rank;
		edge = find_incoming(graph, node, bit);
		bit -= graph->nodes[edge / 2].offset[edge % 2];
	}
}

bool mcdc_graph_step(const struct mcdc_graph *graph, uint32_t node, uint32_t *rank)
{
	uint32_t paths = paths_behind(graph, &graph->nodes[node], 0);

	if (*rank < paths)
		return false;
	*rank -= paths;
	return true;
}
