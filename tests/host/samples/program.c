/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.c - a program with everything that a profile of C can have: branches, decisions, loops, indirect calls,
 * sizes of memory operations, functions that do not run, and static functions with the same names as functions in
 * other.c. The argument determines which code runs and how often.
 */
#include <stdlib.h>
#include <string.h>

int other(int n);

static char to[4096];
static char from[4096];

__attribute__((noinline)) static int pick(int n)
{
	return n > 3 ? 2 * n : n + 1;
}

__attribute__((noinline)) static int twice(int n)
{
	return n + n;
}

__attribute__((noinline)) int less(int n)
{
	return n - 1;
}

__attribute__((noinline)) int never(int n)
{
	return n ? pick(n) : 7;
}

static int (*volatile const table[])(int) = {pick, twice, less, abs};

__attribute__((noinline)) int dispatch(int which, int n)
{
	return table[which & 3](n);
}

__attribute__((noinline)) int decide(int a, int b, int c, int d)
{
	if ((a && b) || (c && !d))
		return (a || c) && (b || d);
	return 2;
}

__attribute__((noinline)) void copy(int n)
{
	memcpy(to, from, (size_t)n);
	if (n & 1)
		memset(from, n, (size_t)n / 2);
}

__attribute__((noinline)) int loop(int n)
{
	int sum = 0;
	int i;

	for (i = 0; i < n; i++) {
		if (i % 3 == 0 && i % 2 == 0)
			sum += pick(i);
		else if (i == 7 || i == 8)
			sum--;
		switch (i & 3) {
		case 0:
			sum++;
			break;
		case 1:
			sum += dispatch(i >> 2, sum);
			break;
		default:
			sum += i > n / 2 ? 3 : 1;
		}
		while (sum > 100000)
			sum /= 3;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int runs = argc > 1 ? atoi(argv[1]) : 1;
	int sum = 0;
	int i;

	for (i = 0; i < 7 * runs; i++) {
		sum += loop(10 * i) + decide(i & 1, i & 2, runs & 1, runs & 2);
		copy((i * i * runs) % 1500);
		sum += dispatch(i % 5 ? 1 : i, i);
	}
	if (runs > 1)
		sum += other(runs);
	return sum == 123456789;
}
