/* SPDX-License-Identifier: BSD-2-Clause */
/* coverage_rules.c - which release of llvm-cov counts in which way. */
#include "coverage_rules.h"

struct coverage_rules coverage_rules(unsigned int release)
{
	if (!release)
		release = COVERAGE_RELEASE_NEWEST;
	return (struct coverage_rules){
		.release = release,
		.context_is_apart = release >= 15,
		.entry_is_mapped = release >= 17,
		.byte_counts = release >= 18 && release < 22,
		.has_mcdc = release >= 18,
		.bitmap_by_vector = release >= 19,
		.vectors_by_bit = release >= 22,
		.folds_each_side = release >= 20,
		.branches_of_expansions = release >= 20,
		.short_dividers = release >= 17,
		.nested_branches = release >= 20,
	};
}
