/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * count.c - what threads count. Instrumented, with atomic counters or plain ones.
 */
int turn(int n);

/* Two ways, so that one of the counts comes of a subtraction. */
__attribute__((noinline)) int turn(int n)
{
	if (n & 1)
		return n / 3;
	return n + 1;
}
