/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_counts.h - how often each block of the machine code ran, for all functions that samples hit.
 */
#ifndef BAREPROF_HOST_CODE_COUNTS_H
#define BAREPROF_HOST_CODE_COUNTS_H

#include "code_graph.h"
#include "sample_program.h"

/*
 * If each instruction of a block has one sample, the estimate is 1 run. Files have whole numbers, so they have this
 * number in place of 1 run. Then rare blocks keep a count above 0.
 */
#define CODE_COUNTS_SCALE 1000.0

/* A function that at least one sample hit. */
struct code_counts {
	const struct sample_function *function;
	const struct code_graph *graph; /* with the estimated counts of blocks and edges */
	double samples;
	double entries; /* estimated number of calls of the function */
};

typedef void code_counts_each(void *context, const struct code_counts *counts);

/*
 * code_counts_infer - calls @each for each function of @program that @samples hit, by address. @samples must be sorted.
 * @starts are the addresses at which the compiler began a block, sorted; there are @start_count of them. They help if a
 * jump has targets that are not known. Returns the number of samples in functions whose code could be read.
 */
double code_counts_infer(const struct sample_program *program, const struct samples *samples, const uint64_t *starts,
	size_t start_count, code_counts_each *each, void *context);

#endif
