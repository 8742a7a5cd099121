/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * app.c - the only instrumented code of this test's image. It has one function with one counter.
 */
#include "app.h"

__attribute__((noinline)) void turn(void)
{
	__asm__ volatile("");
}
