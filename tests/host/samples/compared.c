/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compared.c - a program that differs if it is compiled with -DNEW: one function changes, one is gone, one is new, and
 * one only changes its counts. With more arguments it runs longer.
 */
typedef unsigned long size;

/* Its front-end hash is part of an MD5, because it has many statements. */
static int stays(int n)
{
	int sum = 0;
	int i;

	for (i = 0; i < n; i++) {
		if (i % 2)
			sum += i;
		if (i % 3 && sum > 4)
			sum -= 2;
		if (i % 5)
			sum ^= 7;
		while (sum > 1000)
			sum /= 2;
		if (i % 7 || sum == 6)
			sum++;
		sum += i % 11 ? 3 : 4;
	}
	return sum;
}

__attribute__((noinline)) int changes(int n)
{
	int sum = 0;

#ifdef NEW
	if (n == 77)
		return 1;
#endif
	while (n > 0) {
		sum += n;
		n -= 3;
	}
	return sum;
}

__attribute__((noinline)) int never(int n)
{
#ifdef NEW
	if (n > 5)
		return 3;
#endif
	return n ? n * 2 : 4;
}

#ifdef NEW
__attribute__((noinline)) int fresh(int n)
{
	return n > 2 ? n : 7;
}
#else
__attribute__((noinline)) int old(int n)
{
	return n > 3 ? n : 9;
}
#endif

__attribute__((noinline)) static int work(int times)
{
	int (*const function[])(int) = {stays, changes, stays};
	static char from[600];
	static char to[600];
	int sum = 0;
	int i;

	for (i = 0; i < 60 * times; i++) {
		int (*volatile chosen)(int) = function[(i + times) % 3];

		sum += chosen(i);
		__builtin_memcpy(to, from, (size)(i * times) % 600);
	}
	return sum;
}

int main(int argc, char **argv)
{
	int sum = work(argc);

	(void)argv;
#ifdef NEW
	sum += fresh(argc);
#else
	sum += old(argc);
#endif
	return argc > 9 ? never(sum) : 0;
}
