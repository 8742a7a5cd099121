/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_rules.h - what releases of llvm-cov do differently with the same mapping and counts. A report follows the
 * release of the compiler that made the program, so that its numbers are those of the llvm-cov that fits the program.
 */
#ifndef BAREPROF_HOST_COVERAGE_RULES_H
#define BAREPROF_HOST_COVERAGE_RULES_H

#include <stdbool.h>

/* The releases whose rules are known. An older release counts as the oldest one, and a newer release as the newest. */
#define COVERAGE_RELEASE_OLDEST 13u
#define COVERAGE_RELEASE_NEWEST 22u

struct coverage_rules {
	unsigned int release; /* of LLVM; a release between two that were compared follows the older one */
	bool context_is_apart; /* from 15 on: hashes of context-sensitive profiles are not compared with others */
	bool entry_is_mapped; /* from 17 on: a line on which a gap starts is executable */
	bool byte_counts; /* 18 to 21: counts of byte counters are not added, but 0 or 1 */
	bool has_mcdc; /* from 18 on */
	bool bitmap_by_vector; /* from 19 on: the bitmap has a bit for each test vector; before, for each input */
	bool vectors_by_bit; /* from 22 on: test vectors are listed by their bits in the bitmap; before, as paths */
	bool folds_each_side; /* from 20 on: a condition can be constant in one direction only */
	bool branches_of_expansions; /* from 20 on: a file has the conditions of its macros, where they are defined */
	bool short_dividers; /* from 17 on: lines of hyphens in the table are as long as the table */
	bool nested_branches; /* from 20 on: LCOV has the branches of expansions in the order of their locations */
};

/* coverage_rules - returns the rules of an LLVM release. 0 stands for the newest release. */
struct coverage_rules coverage_rules(unsigned int release);

#endif
