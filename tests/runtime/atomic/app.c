/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * app.c - all that is instrumented in this image: one function with one counter.
 */
#include "app.h"

__attribute__((noinline)) void turn(void)
{
	__asm__ volatile("");
}
