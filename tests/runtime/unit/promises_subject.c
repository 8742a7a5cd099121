/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises_subject.c - the code that is profiled. It counts, makes decisions, calls through a pointer and copies. It
 * is compiled with counters, MC/DC bitmaps and value sites.
 */
#include <string.h>

int count_to(int n);
int decide(int a, int b, int c);
int call(int (*function)(int), int n);
void copy(void *to, const void *from, unsigned long n);

int count_to(int n)
{
	int sum = 0;

	while (n-- > 0)
		sum += n;
	return sum;
}

int decide(int a, int b, int c)
{
	return (a && b) || c;
}

int call(int (*function)(int), int n)
{
	return function(n);
}

void copy(void *to, const void *from, unsigned long n)
{
	memcpy(to, from, n);
}
