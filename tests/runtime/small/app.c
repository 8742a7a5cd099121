/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * app.c - an application with counts of all sizes: zeros, low counts, equal neighbours, and counts that take two or
 * three bytes. It has enough decisions to fill the bitmaps of two blocks.
 */
#include "app.h"

/* If these functions were inlined, IR PGO would have only two functions to count in. */
#define APART __attribute__((noinline)) static

APART int sign(int n)
{
	if (n < 0)
		return -1;
	return n > 0;
}

APART unsigned int ones(unsigned int n)
{
	unsigned int sum = 0;

	for (; n; n &= n - 1)
		sum++;
	return sum;
}

/* Cases whose counters mostly stay 0. */
#define CASE(n)                                                                                                        \
	case n:                                                                                                        \
		return 7 * x + n;
#define CASES(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3) CASE(n + 4) CASE(n + 5) CASE(n + 6) CASE(n + 7)

APART unsigned int opcode(unsigned int n, unsigned int x)
{
	switch (n) {
		CASES(0)
		CASES(8)
		CASES(16)
		CASES(24)
		CASES(32)
		CASES(40)
		CASES(48)
		CASES(56)
		CASES(64)
		CASES(72)
		CASES(80)
		CASES(88)
	}
	return x;
}

#define DECISION(n)                                                                                                    \
	APART unsigned int decision_##n(unsigned int a)                                                                \
	{                                                                                                              \
		return ((a & 1) && (a & 2)) || ((a & 4) && (a & 8)) || ((a & 16) && a > n) || (a > 2 * n && a & 32) || \
		       (a == 7 && n < 9);                                                                              \
	}
DECISION(1)
DECISION(2)
DECISION(3)
DECISION(4)
DECISION(5)
DECISION(6)
DECISION(7)
DECISION(8)
DECISION(9)
DECISION(10)
DECISION(11)
DECISION(12)
DECISION(13)
DECISION(14)
DECISION(15)
DECISION(16)
DECISION(17)
DECISION(18)
DECISION(19)
DECISION(20)

APART unsigned int decisions(unsigned int n)
{
	return decision_1(n) + decision_2(n + 1) + decision_3(n) + decision_4(n + 3) + decision_5(n) +
	       decision_6(n + 5) + decision_7(n) + decision_8(n + 7) + decision_9(n) + decision_10(n + 9) +
	       decision_11(n) + decision_12(n + 11) + decision_13(n) + decision_14(n + 13) + decision_15(n) +
	       decision_16(n + 15) + decision_17(n) + decision_18(n + 17) + decision_19(n) + decision_20(n + 19);
}

unsigned int never(unsigned int n);
unsigned int never(unsigned int n)
{
	return n ? 3 : 4;
}

APART unsigned int many(unsigned int n)
{
	unsigned int sum = 0;
	unsigned int i;

	for (i = 0; i < 7000 * n; i++)
		sum ^= i & 1 ? i << 1 : i;
	return sum;
}

unsigned int application(unsigned int rounds)
{
	unsigned int sum = many(rounds);
	unsigned int i;

	for (i = 0; i < rounds; i++) {
		sum += (unsigned int)sign((int)i - 2) + ones(sum) + opcode(i * 19, sum) + decisions(i);
		if (rounds > 100)
			sum += never(i);
	}
	return sum;
}
