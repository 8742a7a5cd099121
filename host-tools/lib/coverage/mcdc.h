/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mcdc.h - the MC/DC decisions of a function. A test vector is a path through the conditions of a decision. The bitmap of
 * the function says which test vectors ran. A condition is covered if two test vectors that ran differ in this condition
 * and in the result, and in no other condition that both evaluated.
 *
 * Only bitmaps with a bit for each test vector are read, which clang makes from 19 on. In indexed profiles before version
 * 12, clang 18 had a bit for each combination of the conditions. No profile of a program of clang 19 has such a version.
 */
#ifndef BAREPROF_HOST_MCDC_H
#define BAREPROF_HOST_MCDC_H

#include "arena.h"
#include "coverage_rules.h"
#include "region.h"

/* A condition of a decision. */
struct mcdc_condition {
	uint32_t file; /* index in function_regions->files; in an expansion, it is not the file of the decision */
	uint32_t line; /* where it starts */
	uint32_t column;
	/*
	 * The test vectors that cover it: the one whose result is false, then the one whose result is true. The first
	 * vector has the number 1, as in llvm-cov. 0: the condition is not covered.
	 */
	uint32_t pair[2];
	bool folded; /* it is constant, so it does not count */
};

/* Conditions and test vectors are in the order of llvm-cov. All test vectors whose result is false come first. */
struct mcdc_result {
	uint32_t condition_count; /* at most 32,767, which is the largest number that clang allows */
	uint32_t total; /* number of conditions that count, because they are not constant */
	uint32_t covered; /* number of conditions that are covered; llvm-cov compares this number with @total */
	uint32_t false_vectors; /* number of test vectors that ran, and whose result was false */
	uint32_t true_vectors;
	/*
	 * The test vectors could not be evaluated, because there are too many, or because the mapping is damaged. Then no
	 * condition is covered, and there are no vectors.
	 */
	bool unknown;
	const struct mcdc_condition *conditions;
	const uint64_t *vectors; /* see mcdc_state(); NULL if the request does not want them */
};

/* The input of mcdc_decisions(), for any number of functions. */
struct mcdc_request {
	const struct coverage_rules *rules;
	struct bytes bitmap; /* of the function; without bytes: nothing ran */
	struct arena
		*arena; /* gets the memory of the results. NULL: a result is only valid during its call of @found */
	bool vectors; /* results have their test vectors */
	void (*found)(void *context, const struct region *decision, const struct mcdc_result *result);
	void *context;
	uint64_t work; /* starts as 0; limits the time for all functions of the request together */
};

/*
 * mcdc_decisions - finds the decisions of a function, and calls request->found for each of them, in the order of
 * llvm-cov. @regions have counts. Decisions that lack conditions are left out.
 */
void mcdc_decisions(struct mcdc_request *request, const struct function_regions *regions);

/* The value of a condition in a test vector: the character that llvm-cov shows. */
enum mcdc_state {
	MCDC_FALSE = 'F',
	MCDC_TRUE = 'T',
	MCDC_NOT_EVALUATED = '-',
};

/* mcdc_state - returns the value of @condition in @vector. Both count from 0. @result has vectors. */
enum mcdc_state mcdc_state(const struct mcdc_result *result, uint32_t vector, uint32_t condition);

#endif
