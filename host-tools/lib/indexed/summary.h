/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * summary.h - how hot a profile is: totals, and which count is reached by the
 * hottest blocks that make up a share of all counts. Compilers tell hot from
 * cold by it.
 */
#ifndef BAREPROF_HOST_SUMMARY_H
#define BAREPROF_HOST_SUMMARY_H

#include "indexed.h"
#include "model.h"

struct summary {
	uint64_t functions;
	uint64_t blocks; /* counters */
	uint64_t max_function_count; /* highest first counter */
	uint64_t max_count;
	uint64_t max_internal_count; /* highest of the others */
	uint64_t total;
	struct {
		uint64_t share; /* in millionths */
		uint64_t min_count;
		uint64_t blocks;
	} cutoff[SUMMARY_CUTOFFS];
};

/*
 * summary_of - of the records of @model that are context-sensitive, or of those
 * that are not. (As LLVM does, by bit 60 of the hash: hashes of clang before 22
 * can have it by chance in front-end profiles, and such functions are left out.)
 */
void summary_of(struct summary *summary, const struct model *model, bool context_sensitive);
/* summary_of_all - of all records, whatever their hashes. */
void summary_of_all(struct summary *summary, const struct model *model);

#endif
