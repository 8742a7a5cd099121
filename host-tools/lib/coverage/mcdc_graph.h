/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mcdc_graph.h - the test vectors of a decision, without those that did not run. A decision is a graph without cycles: an
 * edge leads from a condition, if it is false or true, to the next condition or to the result. A test vector is a path
 * from the first condition to the result. Each path has two numbers: its bit in the bitmap, and its rank. Ranks sort
 * paths: where two paths part, the one whose condition is false comes first.
 *
 * The time to find a vector depends on its length alone. So a decision with millions of vectors takes no more time
 * than another, if few of them ran.
 */
#ifndef BAREPROF_HOST_MCDC_GRAPH_H
#define BAREPROF_HOST_MCDC_GRAPH_H

#include "arena.h"
#include "region.h"

struct mcdc_node {
	int16_t next[2]; /* the conditions that follow if this one is false or true; below 0: the result follows */
	uint32_t offset[2]; /* what its edges to other conditions add to the bit of a path */
	uint32_t width; /* number of paths from the first condition to this one */
	uint32_t paths; /* number of paths from this condition to the result */
	uint32_t incoming; /* index of its first edge in graph->incoming */
	uint32_t incoming_count;
};

/*
 * An edge from a condition to the result. Each path to the condition continues over this edge. The bitmap has a bit for
 * each path over the edge, and the bits of one edge follow each other.
 */
struct mcdc_end {
	uint32_t edge; /* number of the condition times 2, plus 1 if it is true */
	uint32_t order; /* in which it was found */
	uint32_t width; /* number of its paths */
	uint32_t first; /* bit of its first path */
};

struct mcdc_graph {
	uint32_t count; /* number of conditions */
	struct mcdc_node *nodes;
	uint32_t *
		incoming; /* edges to conditions, numbered as in struct mcdc_end; sorted by condition, then by offset */
	struct mcdc_end *ends; /* sorted by bit */
	uint32_t end_count;
	uint32_t vectors; /* number of test vectors, at most 2^31 - 1 */
};

/*
 * mcdc_graph_build - makes the graph of @count conditions, which are @conditions[0] to @conditions[@count - 1]. The first
 * one is evaluated first. @arena gets the memory. Returns false if the graph is damaged: it has a cycle, an edge to a
 * condition that does not exist, a condition that nothing leads to, or 2^31 paths.
 */
bool mcdc_graph_build(
	struct mcdc_graph *graph, const struct region *const *conditions, uint32_t count, struct arena *arena);

/* mcdc_graph_rank - returns the rank of the path with bit @bit, which is below graph->vectors. Sets *@result. */
uint32_t mcdc_graph_rank(const struct mcdc_graph *graph, uint32_t bit, bool *result);

/*
 * mcdc_graph_step - goes one step along the path that has rank *@rank among the paths from @node to the result. Returns
 * whether the condition @node is true. Sets *@rank to the rank among the paths from the next condition.
 */
bool mcdc_graph_step(const struct mcdc_graph *graph, uint32_t node, uint32_t *rank);

#endif
