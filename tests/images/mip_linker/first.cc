/* SPDX-License-Identifier: BSD-2-Clause */
/* first.cc - the start of the image, and a function that nothing calls. */
#include "classes.h"

extern "C" {
int second(int n);
int by_hand(void);
int bareprof_mip_start(void *image);
int prepare(void);

__attribute__((noinline)) int dead_helper(int n)
{
	__asm__ volatile("");
	return n;
}

int dead(int n)
{
	return dead_helper(n) + shared<7>(n);
}

__attribute__((weak, noinline)) int weak(int n)
{
	return n;
}

int entry(void)
{
	static int data = 5;
	static int zero;

	return prepare() + second(data++ + zero++) + shared<3>(1) + by_hand();
}
}
