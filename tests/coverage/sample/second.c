/* SPDX-License-Identifier: BSD-2-Clause */
/* second.c - has functions of the same names as first.c. */
#include "shared.h"

static int same_name(int n)
{
	if (n > 5)
		return shared(n + 100);
	if (n > 4)
		return 4;
	return shared_not_called(n);
}

static int same_twin(int n)
{
	return n + 1;
}

int second(int n)
{
	return same_name(n) + (n > 4 ? same_twin(n) : 0);
}
