/* SPDX-License-Identifier: BSD-2-Clause */
/* shapes.h - the header of a module of two files. It contains a function. */
#ifndef SHAPES_H
#define SHAPES_H

int area(int kind, int size);

static inline int within(int n, int most)
{ /* 7 times */
	return n < most ? n : most;
}

#endif
