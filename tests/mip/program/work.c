/* SPDX-License-Identifier: BSD-2-Clause */
/* work.c - functions that are called a known number of times, in a known order. */
int area(int side);
int dump(const char *mipraw, const char *log);

static int sum;

__attribute__((noinline)) static int helper(int value)
{
	sum += value;
	return sum;
}

__attribute__((noinline)) int second(int times)
{
	int i;

	for (i = 0; i < times; i++)
		helper(i);
	return sum;
}

int never(int value);
int never(int value)
{
	return helper(value) + 1;
}

__attribute__((noinline)) int first(void)
{
	return sum++;
}

int main(int argc, char **argv)
{
	first();
	second(7);
	first();
	area(argc);
	return argc == 3 ? dump(argv[1], argv[2]) : 2;
}
