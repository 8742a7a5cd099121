/* SPDX-License-Identifier: BSD-2-Clause */
/* second.cc - the second object. Its definition of weak() is the one that counts. */
#include "classes.h"

extern "C" {
__attribute__((noinline)) int weak(int n)
{
	__asm__ volatile("");
	return n + 1;
}

static __attribute__((noinline)) int local(int n)
{
	__asm__ volatile("");
	return n;
}

int second(int n)
{
	return local(n) + shared<3>(n) + weak(n);
}

int dead_too(int n)
{
	__asm__ volatile("");
	return n;
}
}
