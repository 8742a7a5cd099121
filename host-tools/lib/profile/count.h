/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * count.h - arithmetic of counts.
 */
#ifndef BAREPROF_HOST_COUNT_H
#define BAREPROF_HOST_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Counts saturate here, as llvm-profdata's from release 16 on do: the two
 * numbers above mark pseudo counts. (LLVM 13 to 15: 2^64 - 1.)
 */
#define COUNT_MAX (UINT64_MAX - 2)

/*
 * count_add, count_scale - saturating; *@overflow is set if they had to. Inline, as
 * merging many profiles is little else.
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

	/* A single input's counts are passed on as they are, whatever they are. */
	if (weight == 1)
		return a;
	if (!__builtin_mul_overflow(a, weight, &product) && product <= COUNT_MAX)
		return product;
	*overflow = true;
	return COUNT_MAX;
}

#endif
