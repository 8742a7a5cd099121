/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_graph.h - the blocks of machine code of a function, and how control goes from one to the other.
 */
#ifndef BAREPROF_HOST_CODE_GRAPH_H
#define BAREPROF_HOST_CODE_GRAPH_H

#include "code_map.h"
#include "disassembler.h"
#include "flow.h"

/* A function whose code is read. */
struct code_range {
	uint64_t start;
	uint64_t end;
	bool thumb;
	/* the addresses at which the compiler began a block, sorted; jumps whose target is not known may lead there */
	const uint64_t *starts;
	size_t start_count;
};

/* The instruction at @address calls the function at @target. It may be a jump there, at the end of a function. */
struct code_call {
	uint64_t address; /* first, so that compare_numbers() finds it */
	uint64_t target;
};

struct code_graph {
	struct flow flow; /* the samples are 0 */
	uint64_t *addresses; /* of each block, and at the end the address after the last block */
	uint64_t *instructions; /* the address of each instruction */
	size_t instruction_count;
	struct code_call *calls; /* whose target the instruction says, by address */
	size_t call_count;
	bool guessed; /* a jump has targets that are not known */
};

/*
 * code_graph_read - reads the function @range of @image. @map lists the data in the code of the image. @disassembler was
 * opened with details. Returns false if there is no code; then there is nothing to free.
 */
bool code_graph_read(struct code_graph *graph, const struct image *image, const struct code_map *map,
	struct disassembler *disassembler, const struct code_range *range);
void code_graph_free(struct code_graph *graph);

/* code_graph_block - returns the index of the block that contains @address, which must be within the function. */
size_t code_graph_block(const struct code_graph *graph, uint64_t address);

#endif
