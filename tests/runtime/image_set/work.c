/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work.c - the work of a module. This file is instrumented. It is compiled once for each module, each time with a
 * different NAME.
 */
#define PASTE(a, b)   a##b
#define FUNCTION(...) PASTE(work_, __VA_ARGS__)

int FUNCTION(NAME)(int n);
int common(int n);

/* Every module has a function with this name. Readers of the profile treat these functions as one function. */
__attribute__((noinline)) int common(int n)
{
	return n & 1 ? 3 * n : n / 2;
}

int FUNCTION(NAME)(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i % 3 ? common(i) : 1;
	return sum;
}
