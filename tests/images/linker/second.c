/* SPDX-License-Identifier: BSD-2-Clause */
/* second.c - the second source of an image for tests/images/linker/test.sh. It has a value site. */
int second(int x);
int second_unused(int x);

int (*pointer)(int) = second_unused;

int second_unused(int x)
{
	return x ? 1 : 2;
}

int second(int x)
{
	return x && x > 2 ? pointer(x) : 8;
}
