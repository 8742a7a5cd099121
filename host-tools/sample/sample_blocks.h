/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_blocks.h - how often the blocks of machine code ran, as far as samples and control flow tell. */
#ifndef BAREPROF_HOST_SAMPLE_BLOCKS_H
#define BAREPROF_HOST_SAMPLE_BLOCKS_H

#include "code_counts.h"
#include "probes.h"
#include "sample_program.h"

struct sample_block {
	uint64_t address;
	double instructions;
	double samples; /* no whole number if a counter of a histogram stands for several blocks */
	double runs;
};

/* The blocks of one function. */
struct sample_function_blocks {
	struct sample_block
		*list; /* sorted by address; NULL: the function has no samples, or its code cannot be read */
	size_t count;
	bool guessed; /* the targets of a jump are not known, so the runs are less certain */
};

/*
 * sample_blocks_infer - calls code_counts_infer(). The probes of @program, if it has any, tell where the compiler began
 * a block.
 */
double sample_blocks_infer(
	const struct sample_program *program, const struct samples *samples, code_counts_each *each, void *context);

/*
 * sample_blocks_make - returns an element for each function of @program. @samples must be sorted. The caller frees the
 * result with sample_blocks_free().
 */
struct sample_function_blocks *sample_blocks_make(const struct sample_program *program, const struct samples *samples);
void sample_blocks_free(struct sample_function_blocks *blocks, const struct sample_program *program);

/*
 * sample_block_starts - returns the addresses of the block probes in @probes, sorted, and stores their number in @count.
 * The probes of the first blocks of functions are left out, because no jump leads there. The caller frees the result.
 */
uint64_t *sample_block_starts(const struct probes *probes, size_t *count);

#endif
