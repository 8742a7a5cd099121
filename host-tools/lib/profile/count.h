/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * count.h - saturating arithmetic of counts.
 */
#ifndef BAREPROF_HOST_COUNT_H
#define BAREPROF_HOST_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The highest count, as in llvm-profdata from release 16 on. That program uses the two higher
 * numbers for pseudo counts. (LLVM 13 to 15 saturate at 2^64 - 1.)
 */
#define COUNT_MAX (UINT64_MAX - 2)

/*
 * count_add, count_scale - return a + b or a * weight, at most COUNT_MAX. If the exact result is
 * larger, they set *@overflow. Inline, because merging many profiles spends most of its time
 * here.
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

	/* With weight 1 a count is never changed, even if it is above COUNT_MAX. */
	if (weight == 1)
		return a;
	if (!__builtin_mul_overflow(a, weight, &product) && product <= COUNT_MAX)
		return product;
	*overflow = true;
	return COUNT_MAX;
}

#endif
