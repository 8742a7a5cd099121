/* SPDX-License-Identifier: BSD-2-Clause */
/* module.c - stands for a module of Linux: code that counts, and the name of the module. */
int work(int n);

__attribute__((section(".modinfo"), used)) static const char name[] = "name=shapes";

static int twice(int n)
{
	return n > 0 ? 2 * n : 0;
}

int work(int n)
{
	int sum = 0;

	while (n--)
		sum += twice(n);
	return sum;
}
