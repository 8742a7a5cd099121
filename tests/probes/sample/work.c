/* SPDX-License-Identifier: BSD-2-Clause */
/* work.c - loops, switches, and calls of all kinds, with functions that are inlined into each other and split. */
#include "sample.h"

/* shared.c has a function with the same name. */
static __attribute__((noinline)) int same(int n)
{
	int sum = 0;
	int i;

	for (i = 0; i < n; i++)
		sum += i % 3 ? outside(i) : -i;
	return sum;
}

static inline int clamp(int n)
{
	int i;

	if (__builtin_expect(n > 1000, 0)) {
		for (i = 0; i < 3; i++)
			outside(i * n);
		report("large");
		return 1000;
	}
	return n < 0 ? 0 : n;
}

static inline int middle(int a, int b)
{
	return a < b ? clamp(a + b) : clamp(a - b) + clamp(b);
}

static int add(int a, int b)
{
	return a + clamp(b);
}

static int multiply(int a, int b)
{
	int i;
	int sum = 0;

	for (i = 0; i < b % 16; i++)
		sum += a;
	return sum;
}

operation *const operations[OPERATIONS] = {add, multiply, middle};

int choose(int kind, int a, int b)
{
	switch (kind) {
	case 0:
		return middle(a, b);
	case 1:
		return operations[(unsigned int)b % OPERATIONS](a, b);
	case 2:
		return a + same(b % 8);
	case 3:
		if (a == -77)
			stop("a");
		return clamp(a);
	case 4:
		return outside(a) ^ b;
	default:
		return b;
	}
}

int work(int count)
{
	int sum = 0;
	int i;
	int k;

	for (i = 0; i < count; i++)
		for (k = 0; k < i % 7; k++)
			sum = choose(k, sum & 0xfff, i);
	return sum;
}
