/* SPDX-License-Identifier: BSD-2-Clause */
/* flow.c - all kinds of statements, with code that runs and code that does not. The layout is part of the test. */
/* clang-format off */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;

static int unused(int a)
{
	return a ? a + 1 : a - 1;
}

int never_called(int a, int b)
{
	if (a && b)
		return unused(a);
	while (b-- > 0)
		a += b;
	return a;
}

__attribute__((noreturn)) static void leave(int way)
{
	if (way > 1)
		longjmp(back, way);
	longjmp(back, 1);
}

static int jumps(int n)
{
	int volatile sum = 0;

	if (setjmp(back))
		return sum;
	for (;;) {
		sum += n;
		if (sum > 10)
			leave(sum > 100 ? 2 : 1);
	}
}

static int chosen(int n)
{
	switch (n) {
	case 0:
		return 10;
	case 1:
		n += 5;
		/* fall through */
	case 2:
	case 3: {
		int twice = n * 2;

		n = twice;
		break;
	}
	case 4 ... 6:
		break;
	case 100:
		n = never_called(n, n);
		break;
	default:
		n = -1;
	}
	switch (n & 1) {
	case 0:
		n++;
	}
	return n;
}

static int loops(int n)
{
	int i, k, sum = 0;

	for (i = 0; i < n; i++) {
		if (i == 3)
			continue;
		if (i == 7)
			break;
		for (k = i; k; k--)
			sum += k;
	}
	while (sum > 100)
		sum -= 10;
	do {
		sum++;
	} while (sum % 5);
	do
		sum--;
	while (0);
	while (1)
		if (sum-- < 4)
			break;
	for (; n < 0; n++)
		;
	return sum;
}

static int labels(int n)
{
	static void *const where[] = {&&low, &&high};

	goto *where[n > 5];
low:
	n++;
	if (n < 3)
		goto low;
	goto end;
high:
	n--;
end:
	return n;
	n = 7; /* not reached */
}

static int constants(int n)
{
	if (0)
		n++;
	if (1)
		n--;
	else
		n = 8;
	if (n && 0)
		n = 3;
	if (n || 1)
		n++;
	while (0)
		n++;
	return sizeof(n) == 4 ? n : -n;
}

static int conditions(int a, int b, int c)
{
	int r = a && b || c;

	r += (a ? b : c) + (a ?: b);
	if ((a && !b) || (c && (b || a)))
		r++;
	else if (a > 3 && b > 3 && c > 3)
		r--;
	else
		r += 2;
	return !r || (a == b) ? r : r
		+ 1;
}

static int expressions(int n)
{
	return ({
		int t = n;
		if (t > 2)
			t *= 2;
		t;
	}) + (n++, n);
}

static void nothing(void) {} static int same_line(int a) { return a; } static int not_run(int b) { return b; }

int main(int count, char **words)
{
	int sum = 0, i;

	for (i = 0; i < 12; i++)
		sum += jumps(i + 1) + chosen(i) + loops(i) + labels(i) + conditions(i & 1, i & 2, i & 4) + expressions(i);
	nothing();
	sum += constants(count) + same_line(sum);
	if (count > 1) {
		sum += not_run(atoi(words[1]));
		if (sum == 3)
			exit(1);
		abort();
	}
	printf("%d\n", sum);
	return 0;
}
