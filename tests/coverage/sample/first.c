/* SPDX-License-Identifier: BSD-2-Clause */
/* first.c - has functions of the same names as second.c. */
#include "shared.h"

int second(int n);

static int same_name(int n)
{
	return n > 3 ? shared(n) : 0;
}

static int same_twin(int n)
{
	return n + 1;
}

__attribute__((weak)) int weak(int n)
{
	return n > 100 && n < 200 ? 1 : 2;
}

int main(void)
{
	int sum = 0, i;

	for (i = 0; i < 9; i++)
		sum += same_name(i) + same_twin(i) + second(i) + weak(i);
	return sum ? 0 : 1;
}
