/* SPDX-License-Identifier: BSD-2-Clause */
/* decisions.c - decisions of several conditions, for MC/DC. */
#include <stdio.h>

#define ALL(a, b, c)  ((a) && (b) && (c))
#define ONE(x)        ((x) > 1)
#define NONE_OF(a, b) (!(a) && !(b))

static int simple(int a, int b, int c)
{
	int r = 0;

	if (a && b)
		r++;
	if ((a && b) || c)
		r += 2;
	while (r > 20 || (a && r > 10))
		r--;
	for (int i = 0; i < 3 && !c; i++)
		r += i;
	return a || b || c ? r : -r;
}

static int deep(int a, int b, int c, int d)
{
	int r = (a || (b && c)) && (d || !(a && c));

	r += ((a && b) || (c && d)) && ((a && c) || (b && d));
	return r + (a && b && c && d && a > 1 && b > 1) + !(a || b || c || d);
}

static int in_macros(int a, int b, int c)
{
	int r = ALL(a, b, c) || NONE_OF(a, c);

	if (ALL(ONE(a), ONE(b), c || ONE(a)) && r)
		r++;
	if (NONE_OF(a && b, c) || ALL(a, ONE(b), c))
		r += 2;
	return r;
}

static int constant(int a, int b)
{
	int r = (a && 1) + (a && 0 && b) + (a || 1 || b) + (1 && a && b) + (0 || a || b);

	if (sizeof(a) == 4 && a && b)
		r++;
	return r;
}

static int nested_calls(int a, int b)
{
	return (a && simple(a || b, b && a, 1)) || (b && deep(a && b, 1, b || a, 2) > 1);
}

static int not_run(int a, int b)
{
	return a && b ? 1 : a || b;
}

int main(int count, char **words)
{
	int sum = 0, i;

	for (i = 0; i < 11; i++) {
		sum += simple(i & 1, i & 2, i & 4) + deep(i & 1, i & 2, i & 4, i & 8) + in_macros(i & 3, i >> 1, i & 4);
		sum += constant(i & 1, i & 2) + nested_calls(i > 3, i & 2);
	}
	if (count > 1 && words[1][0] == 'x')
		sum += not_run(sum, count);
	printf("%d\n", sum);
	return 0;
}
