/* SPDX-License-Identifier: BSD-2-Clause */
/* shared.c - has functions that other files define too, and the functions that work.c calls. */
#include "sample.h"

static __attribute__((noinline)) int same(int n)
{
	return n & 1 ? n * 3 + 1 : n / 2;
}

static int collect(const int *list, int count, operation *use)
{
	int sum = 0;
	int i;

	for (i = 0; i < count; i++)
		sum = use(sum, list[i]) + weak(i);
	return sum;
}

__attribute__((weak)) int weak(int n)
{
	return n > 2 ? n - 1 : 0;
}

int outside(int n)
{
	int steps = 0;

	for (n &= 0xff; n > 1 && steps < 100; steps++)
		n = same(n);
	return steps;
}

int reports;

void report(const char *what)
{
	reports += what[0];
}

void stop(const char *what)
{
	for (;;)
		report(what);
}

int sample(void)
{
	static const int list[] = {3, 1, 4, 1, 5, 9, 2, 6};
	int sum = work(60);
	int i;

	for (i = 0; i < OPERATIONS; i++)
		sum += collect(list, 8, operations[i]);
	return sum + reports;
}
