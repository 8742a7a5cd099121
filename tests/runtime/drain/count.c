/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * count.c - the code that the threads run. It is instrumented, with atomic counters or with plain counters.
 */
int turn(int n);

/* turn() has two branches, so that one of its counts is computed by a subtraction. */
__attribute__((noinline)) int turn(int n)
{
	if (n & 1)
		return n / 3;
	return n + 1;
}
