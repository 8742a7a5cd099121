/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak.c - is compiled several times, each time with another number PART. All objects define chosen() as a weak
 * function, but each has its own code and counters for it.
 */
#include "weak.h"

static int one(int n)
{
	return n + 1;
}

static int two(int n)
{
	return n + 2;
}

static int (*volatile const calls[])(int) = {one, two};

int FUNCTION(before)(int n);
int FUNCTION(before)(int n)
{
	return n > PART ? calls[0](n) : n;
}

__attribute__((weak)) int chosen(int n)
{
	if (n > 100 && n < 110)
		return 100 + PART;
#if PART > 1
	if (n == 3 || (n > 50 && n < 60))
		return calls[1](n);
#endif
#if PART > 2
	if (n == 4)
		return calls[0](calls[1](n));
#endif
	return calls[0](n);
}

int FUNCTION(behind)(int n);
int FUNCTION(behind)(int n)
{
	return n > 100 + PART ? n : calls[1](n);
}
