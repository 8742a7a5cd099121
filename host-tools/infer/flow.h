/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flow.h - estimates how often each block of a function ran, from samples of the program counter.
 *
 * A sample hits a block in proportion to its runs and to its number of instructions. So samples / instructions is a
 * first estimate of the runs, but an uneven one: of two blocks that always run together, one may have 3 samples and the
 * other none. Control flow adds what the samples do not say: a block runs as often as control enters it, and as often
 * as control leaves it. flow_infer() finds the counts that obey this rule and that explain the samples best.
 */
#ifndef BAREPROF_HOST_FLOW_H
#define BAREPROF_HOST_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow_block {
	double samples; /* samples that hit the block; at least 0 */
	double instructions; /* above 0 */
	bool enters; /* control may come from outside: the start of the function, or the target of an unknown jump */
	bool leaves; /* control may leave: a return, a jump to another function, or an unknown jump */
	double count; /* result: estimated runs, where a sample of each instruction is one run */
};

struct flow_edge {
	uint32_t from; /* indices of blocks */
	uint32_t to;
	double count; /* result: estimated number of times that control took the edge */
};

struct flow {
	struct flow_block *blocks;
	size_t block_count;
	struct flow_edge *edges;
	size_t edge_count;
};

/* flow_infer - sets the counts of all blocks and edges. */
void flow_infer(struct flow *flow);

/*
 * flow_connect - adds small counts, so that control gets from an entry to each block that runs, and from there to an
 * exit. Samples of a loop obey the rule also if control never enters the loop, and flow_infer() may leave it so, if no
 * sample hit the blocks before it. A compiler would then take the loop for cold. Call it after flow_infer().
 */
void flow_connect(struct flow *flow);

#endif
