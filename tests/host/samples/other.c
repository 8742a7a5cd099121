/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * other.c - has static functions with the same names as functions in program.c, but with other code.
 */
int other(int n);

__attribute__((noinline)) static int pick(int n)
{
	while (n > 20)
		n /= 2;
	return n & 1 ? 3 * n + 1 : n / 2;
}

int other(int n)
{
	int steps = 0;

	while (n != 1 && steps < 100) {
		n = pick(n);
		steps++;
	}
	return steps;
}
