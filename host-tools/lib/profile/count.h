/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * count.h - adds and multiplies counts. Results do not exceed the highest count.
 */
#ifndef BAREPROF_HOST_COUNT_H
#define BAREPROF_HOST_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The highest count, the same as in llvm-profdata from release 16 on. llvm-profdata uses the two
 * numbers above it for pseudo counts. In LLVM 13 to 15 the highest count is 2^64 - 1.
 */
#define COUNT_MAX (UINT64_MAX - 2)

/*
 * count_add - returns @a + @b.
 * count_scale - returns @a * @weight.
 * If the result is above COUNT_MAX, both functions return COUNT_MAX and set *@overflow. Both
 * functions are inline, because a merge of many profiles spends most of its time in these
 * functions.
 */
static inline uint64_t count_add(uint64_t a, uint64_t b, bool *overflow)
{
	uint64_t sum = a + b;
	bool over = sum < a || sum > COUNT_MAX;

	*overflow |= over;
	return over ? COUNT_MAX : sum;
}

static inline uint64_t count_scale(uint64_t a, uint64_t weight, bool *overflow)
{
	uint64_t product;

	/* If the weight is 1, the count stays the same, even if it is above COUNT_MAX. */
	if (weight == 1)
		return a;
	if (!__builtin_mul_overflow(a, weight, &product) && product <= COUNT_MAX)
		return product;
	*overflow = true;
	return COUNT_MAX;
}

#endif
