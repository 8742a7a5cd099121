/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decimal.h - writes numbers in base 10 into memory that has room for them. Reports have millions of numbers.
 */
#ifndef BAREPROF_HOST_DECIMAL_H
#define BAREPROF_HOST_DECIMAL_H

#include <stdint.h>

#define DECIMAL_MAX 20 /* bytes of the longest number */

/* decimal_put - writes @value at @at, and returns the end of its digits. */
static inline uint8_t *decimal_put(uint8_t *at, uint64_t value)
{
	uint8_t digits[DECIMAL_MAX];
	unsigned int n = 0;

	do {
		digits[n++] = (uint8_t)('0' + value % 10);
		value /= 10;
	} while (value);
	while (n)
		*at++ = digits[--n];
	return at;
}

#endif
