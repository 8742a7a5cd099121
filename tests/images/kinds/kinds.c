/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kinds.c - a self test for the demo kernel. Each kind of instrumentation finds something to record in this file:
 * calls through pointers, copies of all sizes, decisions with several conditions, loops that are entered and left,
 * and code that never runs.
 */
#include "selftest.h"

#define NEVER_COUNTED __attribute__((noinline, no_profile_instrument_function))

static uint32_t twice(uint32_t x)
{
	return x << 1;
}

static uint32_t next(uint32_t x)
{
	return x + 1;
}

static uint32_t same(uint32_t x)
{
	return x;
}

/* This function is not instrumented. Therefore a profile has no name for its address. */
static NEVER_COUNTED uint32_t nameless(uint32_t x)
{
	return x ^ 1;
}

typedef uint32_t (*step)(uint32_t x);

static __attribute__((noinline)) uint32_t through(step f, uint32_t x)
{
	return x & 1 ? f(x) : f(x + 1) + 1;
}

static void calls(void)
{
	static const step table[] = {twice, next, twice, same, twice, nameless, next, twice};
	uint32_t sum = 0;
	uint32_t i;

	for (i = 0; i < 40; i++)
		sum += through(table[i & 7], i);
	EXPECT(sum == 1225);
}

static __attribute__((noinline)) void copy(uint8_t *to, const uint8_t *from, size_t n)
{
	__builtin_memcpy(to, from, n);
}

static __attribute__((noinline)) void clear(uint8_t *to, size_t n)
{
	__builtin_memset(to, 0, n);
}

static void sizes(void)
{
	static uint8_t from[600];
	static uint8_t to[600];
	size_t n;

	for (n = 0; n < sizeof(from); n++)
		from[n] = (uint8_t)n;
	for (n = 0; n <= sizeof(from); n += n < 20 ? 1 : 116)
		copy(to, from, n);
	EXPECT(to[599] == (uint8_t)599);
	clear(to, 3);
	clear(to, 64);
	clear(to, 64);
	EXPECT(to[63] == 0 && to[64] == 64);
}

/* The tests reach only some of the outcomes of these four conditions. */
static __attribute__((noinline)) uint32_t decide(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	if ((a > 2 && b > 2) || (c > 2 && !(d > 2)))
		return 1;
	if (a > 90 || b > 90)
		return 2;
	return 0;
}

static void decisions(void)
{
	uint32_t yes = 0;
	uint32_t i;

	for (i = 0; i < 16; i++)
		yes += decide(i & 3, i >> 2, i & 1 ? i : 0, i);
	EXPECT(yes == 1);
	EXPECT(decide(3, 0, 1, 0) == 0);
}

static __attribute__((noinline)) uint32_t loops(uint32_t n)
{
	uint32_t turns = 0;
	uint32_t i;

	while (n > 0) {
		for (i = 0; i < (n & 3); i++)
			turns++;
		n >>= 1;
	}
	return turns;
}

void test_kinds(void)
{
	calls();
	sizes();
	decisions();
	EXPECT(loops(0) == 0);
	EXPECT(loops(25) == 7);
	if (loops(2) == 9)
		EXPECT(loops(3) == 9);
#ifdef DEMO_VTABLES
	test_vtables();
#endif
}
