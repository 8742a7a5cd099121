/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work.c - the work of a module. NAME is different in each module. Instrumented.
 */
#define PASTE(a, b)   a##b
#define FUNCTION(...) PASTE(work_, __VA_ARGS__)

int FUNCTION(NAME)(int n);
int common(int n);

/* Every module has this function under this name, so readers of the profile take it for one function. */
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
