/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * small.c - body S: a small program whose functions are entered in ways that are easy to count wrongly: recursion, a
 * tail call that becomes a loop to the entry, tail calls of other functions, calls through pointers, a function that
 * never returns to its caller, arguments in all registers and on the stack, a function without instructions, and a cold
 * part.
 */
#include "body.h"

#define KEEP __attribute__((noinline, noclone))
#ifdef __clang__
#undef KEEP
#define KEEP __attribute__((noinline))
#endif

static volatile unsigned int sink;

KEEP static unsigned int fibonacci(unsigned int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* Clang and gcc compile this tail call as a jump to the start of the function. It is one call. */
KEEP static unsigned int loop(unsigned int n, unsigned int sum)
{
	return n ? loop(n - 1, sum + n) : sum;
}

KEEP static unsigned int odd(unsigned int n);
KEEP static unsigned int even(unsigned int n)
{
	return n ? odd(n - 1) : 1;
}

KEEP static unsigned int odd(unsigned int n)
{
	return n ? even(n - 1) : 0;
}

KEEP static unsigned long long many(
	int a, long b, unsigned long long c, int d, int e, double f, long long g, int h, int i)
{
	return (unsigned long long)a + b + c + d + e + (unsigned long long)f + g + h + i;
}

KEEP static void nothing(void)
{
}

KEEP static void never(void)
{
	sink++;
}

static unsigned int add(unsigned int x)
{
	return x + 1;
}

static unsigned int twice(unsigned int x)
{
	return 2 * x;
}

static unsigned int (*const table[])(unsigned int) = {add, twice, add, fibonacci};

KEEP static unsigned int choose(unsigned int n)
{
	switch (n % 7) {
	case 0:
		return 17;
	case 1:
		return add(n);
	case 2:
		return 99 + n;
	case 3:
		return twice(n);
	case 4:
		return 5;
	case 5:
		return n * n;
	}
	if (__builtin_expect(n > 1000, 0)) {
		never();
		never();
	}
	return 1;
}

__attribute__((weak, noinline)) unsigned int body_weak(unsigned int x)
{
	return x ^ 5;
}

/* The harness, which is not instrumented, calls this function. */
unsigned int body_small(void);
unsigned int body_small(void)
{
	unsigned int i, sum = 0;

	for (i = 0; i < 40; i++) {
		sum = sum * 31 + choose(i) + table[i % 4](i % 12) + body_weak(i);
		nothing();
	}
	sum += fibonacci(15) + loop(1000, 0) + even(301);
	sum += (unsigned int)many(1, 2, 3, 4, 5, 6, 7, 8, 9);
	return sum;
}
