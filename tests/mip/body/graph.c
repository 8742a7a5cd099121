/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph.c - the code of body G: direct, indirect and recursive calls. A function that two callers call in strict turns
 * shows whether samples are taken at irregular distances.
 */
#include "body.h"

#define NOINLINE __attribute__((noinline))

unsigned int graph_work(unsigned int seed, unsigned int steps);

static volatile unsigned int sum;

NOINLINE void leaf(unsigned int x)
{
	sum += x;
}

NOINLINE void often(unsigned int x)
{
	leaf(x);
	sum++;
}

NOINLINE void rarely(unsigned int x)
{
	leaf(x + 1);
	sum++;
}

NOINLINE void turn(void)
{
	sum ^= 1;
}

/* turn() is called from two places, one after the other. */
NOINLINE void turns(void)
{
	turn();
	sum++;
	turn();
	sum++;
}

NOINLINE unsigned int fall(unsigned int n)
{
	return n ? fall(n - 1) + sum : 1;
}

unsigned int odd(unsigned int n);

NOINLINE unsigned int even(unsigned int n)
{
	return n ? odd(n - 1) + sum : 0;
}

NOINLINE unsigned int odd(unsigned int n)
{
	return n ? even(n - 1) + sum : 1;
}

NOINLINE void first(unsigned int x)
{
	sum += x;
}

NOINLINE void second(unsigned int x)
{
	sum ^= x;
}

NOINLINE void third(unsigned int x)
{
	leaf(x);
	sum++;
}

static void (*const volatile handlers[])(unsigned int x) = {first, second, third, first};

/* Calls functions through pointers. */
NOINLINE void dispatch(unsigned int x)
{
	handlers[x & 3](x);
	sum++;
}

NOINLINE void other(unsigned int x)
{
	handlers[x >> 1 & 1](x);
	sum++;
}

NOINLINE void landed(unsigned int x)
{
	sum += x;
}

/* If the compiler makes tail calls, this function jumps to landed(). */
NOINLINE void jumper(unsigned int x)
{
	sum ^= x;
	landed(x + 1);
}

NOINLINE void before(unsigned int x)
{
	jumper(x);
	sum++;
}

unsigned int graph_work(unsigned int seed, unsigned int steps)
{
	while (steps--) {
		/* Only the upper bits of this generator are random enough. */
		unsigned int x = (seed = seed * 1664525u + 1013904223u) >> 16;

		if (x % 5)
			often(x);
		else
			rarely(x);
		turns();
		dispatch(x >> 3);
		before(x >> 4);
		if (x & 2)
			other(x >> 5);
		sum += fall(x >> 6 & 3);
		sum += x & 1 ? even(x >> 8 & 7) : odd(x >> 8 & 7);
	}
	return sum;
}
