/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work.c - what a module does: NAME is its own. Instrumented.
 */
#define PASTE(a, b)   a##b
#define FUNCTION(...) PASTE(work_, __VA_ARGS__)

int FUNCTION(NAME)(int n);
int common(int n);

/* In every module: one function to who reads the profile. */
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
