/* SPDX-License-Identifier: BSD-2-Clause */
/* classes.h - a function that both objects define, in a COMDAT group. */
#ifndef CLASSES_H
#define CLASSES_H

template <int N> __attribute__((noinline)) int shared(int n)
{
	__asm__ volatile("");
	return n + N;
}

#endif
