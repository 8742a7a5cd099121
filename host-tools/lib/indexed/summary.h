/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * summary.h - the summary of a profile: totals, and for several shares of all counts the lowest
 * count of the hottest blocks that make up that share. Compilers use the summary to distinguish
 * hot code from cold code.
 */
#ifndef BAREPROF_HOST_SUMMARY_H
#define BAREPROF_HOST_SUMMARY_H

#include "indexed.h"
#include "model.h"

struct summary {
	uint64_t functions;
	uint64_t blocks; /* number of counters */
	uint64_t max_function_count; /* highest first counter of a function */
	uint64_t max_count;
	uint64_t max_internal_count; /* highest count of the other counters */
	uint64_t total; /* sum of all counts */
	struct {
		uint64_t share; /* share of the total, in millionths */
		uint64_t min_count; /* lowest count of the hottest blocks that make up this share */
		uint64_t blocks; /* number of these blocks */
	} cutoff[SUMMARY_CUTOFFS];
};

/*
 * summary_of - summarizes the records of @model that are context-sensitive if @context_sensitive
 * is true, otherwise the other records. Like LLVM it distinguishes them by bit 60 of the hash. In
 * front-end profiles of clang before 22 a hash can have this bit by chance; the summary lacks
 * such functions.
 */
void summary_of(struct summary *summary, const struct model *model, bool context_sensitive);
/* summary_of_all - summarizes all records, whatever their hashes. */
void summary_of_all(struct summary *summary, const struct model *model);

#endif
