/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * other.cc - uses instances of the same templates as program.cc, and has a function with the same name as a function in
 * program.cc.
 */
#include "program.h"

namespace
{
int local(int n)
{
	return n < 5 ? n : n + 0x55;
}
} // namespace

int other(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += larger(i, n - i) + common(i) + local(i);
	return sum;
}
