/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subject.c - code with value sites: calls through pointers to several functions, and copies of all sizes. One site
 * calls more functions than its list can hold.
 */
#include <string.h>

static char buffer[4096];
static char source[4096];

int subject(int n);

#define FUNCTION(n)                                                                                                    \
	static int function_##n(int x)                                                                                 \
	{                                                                                                              \
		return x + n;                                                                                          \
	}
#define TEN(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define ALL(X)    TEN(X, 1) TEN(X, 2) TEN(X, 3)
ALL(FUNCTION)

int subject(int n)
{
#define ADDRESS(n) function_##n,
	static int (*volatile const table[])(int) = {ALL(ADDRESS)};
	int sum = 0;
	int i;

	for (i = 0; i < n; i++) {
		sum += table[i * i % 3](i);
		sum += table[i * 7 % 30](i); /* calls 30 targets; the list of a site holds only 24 */
		memcpy(buffer, source, (size_t)(i * 37 % 3000));
		memset(buffer, sum, (size_t)(i % 9));
		sum += buffer[i % 100];
	}
	return sum;
}
