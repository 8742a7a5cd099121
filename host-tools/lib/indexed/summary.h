/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * summary.h - the summary of a profile, which compilers use to distinguish hot code from cold code. The summary has
 * totals and cutoffs.
 */
#ifndef BAREPROF_HOST_SUMMARY_H
#define BAREPROF_HOST_SUMMARY_H

#include "cutoffs.h"
#include "indexed.h"
#include "model.h"

struct summary {
	uint64_t functions;
	uint64_t blocks; /* number of counters */
	uint64_t max_function_count; /* the highest count among the first counters of all functions */
	uint64_t max_count;
	uint64_t max_internal_count; /* the highest count of all counters except the first of each function */
	uint64_t total; /* sum of all counts */
	struct cutoff cutoff[SUMMARY_CUTOFFS];
};

/*
 * summary_of - summarizes one group of the records of @model. If @context_sensitive is true, the group is the
 * context-sensitive records. Otherwise, the group is the records that are not context-sensitive. A record is
 * context-sensitive if bit 60 of its hash is set, as in LLVM. In front-end profiles of clang before 22, a hash can have
 * this bit by chance. The record with this hash is then missing in the summary of the records that are not
 * context-sensitive.
 */
void summary_of(struct summary *summary, const struct model *model, bool context_sensitive);
/* summary_of_all - summarizes all records of @model. Bit 60 of the hash has no effect. */
void summary_of_all(struct summary *summary, const struct model *model);

#endif
