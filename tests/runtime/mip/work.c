/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work.c - functions with known numbers of calls, in both modes of machine profiles. The test compiles this file twice
 * with `bareprof mip cc`: MODE(name) is the name of a function in one of the two objects.
 */
#include "work.h"

/* Without the empty assembly, a compiler would drop the calls. */
#define EMPTY                                                                                                          \
	{                                                                                                              \
		__asm__ volatile("");                                                                                  \
	}

__attribute__((noinline)) void MODE(once)(void) EMPTY __attribute__((noinline)) void MODE(often)(void) EMPTY
	__attribute__((noinline)) void MODE(never)(void) EMPTY

	void MODE(work)(void)
{
	int i;

	MODE(once)();
	for (i = 0; i < 300; i++)
		MODE(often)();
}
