/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * expression.h - the operands of regions and expressions. The two low bits of an operand are its tag: 0 means the count 0,
 * and 1 means a counter. 2 and 3 mean an expression, whose operands are subtracted (2) or added (3).
 */
#ifndef BAREPROF_HOST_EXPRESSION_H
#define BAREPROF_HOST_EXPRESSION_H

#include "region.h"

#define TAG_BITS     2
#define TAG_MASK     3u
#define TAG_ZERO     0u
#define TAG_COUNTER  1u
#define TAG_SUBTRACT REGION_OPERAND_DIFFERENCE

/* No code runs so often. A count of at least this number was below 0 before it was taken modulo 2^64. */
#define COUNT_IMPOSSIBLE ((uint64_t)1 << 63)

/* An expression has a sum and a difference. An operand that refers to the expression uses one of them. */
struct expression {
	uint32_t operand[2];
	uint8_t state; /* belongs to region_counts.c */
	uint64_t sum; /* modulo 2^64, like the difference */
	uint64_t difference;
	uint32_t counters; /* 1 more than the highest counter in it */
};

/* operand_exists - returns false if @operand refers to an expression that @regions do not have, otherwise true. */
static inline bool operand_exists(const struct function_regions *regions, uint32_t operand)
{
	return (operand & TAG_MASK) <= TAG_COUNTER || operand >> TAG_BITS < regions->expression_count;
}

/* operand_value - returns the value of @operand. Its expressions must be computed. */
static inline uint64_t operand_value(
	const struct function_regions *regions, uint32_t operand, const uint64_t *counters, size_t count)
{
	uint32_t tag = operand & TAG_MASK;
	size_t index = operand >> TAG_BITS;

	if (tag == TAG_COUNTER)
		return counters && index < count ? counters[index] : 0;
	if (tag == TAG_ZERO)
		return 0;
	return tag == TAG_SUBTRACT ? regions->expressions[index].difference : regions->expressions[index].sum;
}

/*
 * expressions_compute - computes the expressions again, after regions_count(), and leaves the counts of the regions as they
 *	are. If @in_branch is not NULL, a difference becomes 0 if it is below 0, and if @in_branch does not mark the
 *	counter that it subtracts, see region_judge.c.
 */
void expressions_compute(
	struct function_regions *regions, const uint64_t *counters, size_t count, const bool *in_branch);

#endif
