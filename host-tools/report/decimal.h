/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decimal.h - writes numbers in base 10 into memory that has room for them. Reports have millions of numbers.
 */
#ifndef BAREPROF_HOST_DECIMAL_H
#define BAREPROF_HOST_DECIMAL_H

#include <stdint.h>
#include <string.h>

#define DECIMAL_MAX 20 /* bytes of the longest number */

/*
 * decimal_put - writes @value at @at, and returns the end of its digits. There must be room for DECIMAL_MAX bytes, because
 * bytes after the digits change, too.
 */
static inline uint8_t *decimal_put(uint8_t *at, uint64_t value)
{
	static const char pairs[] = "00010203040506070809"
				    "10111213141516171819"
				    "20212223242526272829"
				    "30313233343536373839"
				    "40414243444546474849"
				    "50515253545556575859"
				    "60616263646566676869"
				    "70717273747576777879"
				    "80818283848586878889"
				    "90919293949596979899";
	/* The number ends in the middle, so that DECIMAL_MAX bytes can be copied from its first digit on. */
	char digits[2 * DECIMAL_MAX] = {0};
	char *first = digits + DECIMAL_MAX;

	/* Takes two digits at a time, the lowest first. A copy of a constant number of bytes is fast. */
	for (; value >= 100; value /= 100) {
		first -= 2;
		memcpy(first, pairs + 2 * (value % 100), 2);
	}
	if (value >= 10) {
		first -= 2;
		memcpy(first, pairs + 2 * value, 2);
	} else {
		*--first = (char)('0' + value);
	}
	memcpy(at, first, DECIMAL_MAX);
	return at + (digits + DECIMAL_MAX - first);
}

#endif
