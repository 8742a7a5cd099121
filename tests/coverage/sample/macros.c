/* SPDX-License-Identifier: BSD-2-Clause */
/* macros.c - expansions in expansions, included files, and lines that the preprocessor leaves out. The layout is part of the test. */
/* clang-format off */
#include <stdio.h>
#include "shared.h"

#define HALF(x) ((x) > 1 ? (x) / 2 : 0)
#define QUARTER(x) HALF(HALF(x))
#define EITHER(a, b) ((a) || (b))
#define WHEN(condition, then) \
	do { \
		if (condition) { \
			then; \
		} \
	} while (0)
#define FUNCTION(name, value) \
	static int name(int n) \
	{ \
		if (n > (value)) \
			return n - (value); \
		return HALF(n); \
	}
#define EMPTY
#define RETURN return
#define LOOP(n) for (int i = 0; i < (n); i++)
#define OPEN {
#define CLOSE }
#define CALL(f) f(n)

FUNCTION(made, 3)
FUNCTION(made_and_not_called, 4)

static int nested(int n)
{
	EMPTY
	WHEN(n > 2, n += QUARTER(n));
	WHEN(EITHER(n == 7, n == 9), WHEN(n == 7, n--));
	n += HALF(n) + HALF(n + 1); WHEN(n, n++); WHEN(!n, n--);
	LOOP(3)
		n += i && EITHER(n & 1, i > 1);
	LOOP(n & 3) OPEN
		n += QUARTER(i);
	CLOSE
	RETURN CALL(made) + HALF(
		QUARTER(n) +
		QUARTER(n + 4));
}

static int parts(int n)
{
	switch (n) {
#define PART(name, number) \
	case number: \
		n += number; \
		break;
#include "parts.inc"
#undef PART
	default:
		break;
	}
	return n;
}

#define PART(name, number) static int name(int n) { return n == number ? n : HALF(n); }
#include "parts.inc"
#undef PART

static int included(int n)
{
#include "body.inc"
	n++;
#include "body.inc"
	return n;
}

static int left_out(int n)
{
#if 0
	n = 3;

	if (n)
		n = 4;
#endif
	n++;
#ifdef NEVER
	n = 5;
#else
	n += 2;
#endif
	if (n > 5) {
#if 1
		n--;
#elif 2
		n -= 2;
#else
		n -= 3;
#endif
	}
#ifdef NEVER
	n = 6; }
#endif
	return n;
}

#define BOTH(a, b) (a && b)
static int arguments(int a, int b)
{
	int r = BOTH(a > 1, b > 1) + BOTH(BOTH(a, b), a > b || b > 3);

	r += HALF(a && b) + HALF(a ? b : (b ? a : 1));
	return BOTH(a,
		b) ? r : HALF(r);
}

#line 7 "renamed.c"
static int renamed(int n)
{
	return n > 2 ? HALF(n) : n;
}
#line 130 "macros.c"

int main(int count, char **words)
{
	int sum = 0, i;

	(void)words;
	for (i = 0; i < 12; i++)
		sum += nested(i) + parts(i) + one(i) + two(i) + included(i) + left_out(i) + arguments(i & 3, i >> 1) + renamed(i) + shared(i);
	if (count > 1)
		sum += shared_not_called(sum);
	printf("%d\n", sum);
	return 0;
}
