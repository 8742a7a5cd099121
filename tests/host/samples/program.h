/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.h - classes and functions that program.cc and other.cc share.
 */
#ifndef BAREPROF_TESTS_MERGE_PROGRAM_H
#define BAREPROF_TESTS_MERGE_PROGRAM_H

struct shape {
	int side;
	explicit shape(int n) : side(n)
	{
	}
	virtual ~shape()
	{
	}
	virtual int area() const
	{
		return side > 2 && side < 9 ? side : 0;
	}
};

template <typename T> T larger(T a, T b)
{
	return a > b ? a : b;
}

inline int common(int n)
{
	return n & 1 ? n : -n;
}

int other(int n);

#endif
