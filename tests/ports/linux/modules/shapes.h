/* SPDX-License-Identifier: BSD-2-Clause */
/* shapes.h - a module of two files, with a function in a header. */
#ifndef SHAPES_H
#define SHAPES_H

int area(int kind, int size);

static inline int within(int n, int most)
{ /* 7 times */
	return n < most ? n : most;
}

#endif
