/* SPDX-License-Identifier: BSD-2-Clause */
/* shared.h - inline functions that several objects have. */
#ifndef SHARED_H
#define SHARED_H

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static inline int shared(int n)
{
	if (n & 1)
		return LARGER(n, 5);
	return n;
}

static inline int shared_not_called(int n)
{
	return n && LARGER(n, 3) > 4 ? 1 : 2;
}

static inline int shared_not_used(int n)
{
	while (n > 1)
		n /= 2;
	return n;
}

#endif
