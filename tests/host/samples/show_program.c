/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show_program.c - a program with all contents that a profile can have: branches and loops, indirect calls, memory
 * operations of several sizes, decisions of several conditions, and a function that never runs. If it is compiled as
 * C++, it also has virtual calls.
 */
typedef unsigned long size;

#ifdef __cplusplus
struct shape {
	virtual int area(int n)
	{
		return n;
	}
};
struct square : shape {
	int area(int n) override
	{
		return n * n;
	}
};
static int calls(int i)
{
	static shape plain;
	static square other;
	shape *volatile which = i % 3 ? &plain : &other;

	return which->area(i);
}
#else
static int calls(int i)
{
	return -i;
}
#endif

static int twice(int n)
{
	return 2 * n;
}

static int decide(int a, int b, int c)
{
	if ((a && b) || c)
		return 1;
	return 0;
}

__attribute__((noinline)) int never(int n)
{
	while (n > 3)
		n -= decide(n, 1, 0);
	return n;
}

__attribute__((noinline)) void copy(char *to, const char *from, size n)
{
	__builtin_memcpy(to, from, n);
}

int main(int argc, char **argv)
{
	int (*const function[])(int) = {twice, calls, twice};
	static char from[600];
	static char to[600];
	int sum = 0;
	int i;

	(void)argv;
	for (i = 0; i < 40; i++) {
		int (*volatile chosen)(int) = function[i % 3];

		sum += chosen(i);
		sum += decide(i & 1, i & 2, argc > 9);
		copy(to, from, (size)(i * i) % 600);
	}
	return argc > 9 ? never(sum) : 0;
}
