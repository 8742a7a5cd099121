/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.c - a small program. With -DCHANGED one function has another control flow, with -DOTHER all functions have other
 * names. It calls through a pointer, so that -fprofile-generate has value sites.
 */
#ifdef OTHER
#define pick  other_pick
#define sum   other_sum
#define state other_state
#define call  other_call
#define never other_never
#define weigh other_weigh
#endif

int pick(int x);
int sum(int x);
int state(int x);
int call(int (*function)(int), int x);
int never(int x);
int weigh(int x, int y);

__attribute__((noinline)) int pick(int x)
{
	if (x > 3)
		return x * 2;
#ifdef CHANGED
	if (x > 2 && x < 9)
		return 9;
#endif
	return x ? 1 : 0;
}

__attribute__((noinline)) int sum(int x)
{
	int total = 0;
	int i;

	for (i = 0; i < x; i++)
		total += pick(i);
	return total;
}

__attribute__((noinline)) int state(int x)
{
	switch (x) {
	case 1:
		return 5;
	case 2:
		return sum(3);
	default:
		return 0;
	}
}

__attribute__((noinline)) int call(int (*function)(int), int x)
{
	return function(x) + 1;
}

/* Only a function with many conditions has a structural hash of 64 bits. */
__attribute__((noinline)) int weigh(int x, int y)
{
	int total = 0;

	while (x-- > 0) {
		if (x % 3 == 1)
			total += y;
		else if (x % 5 == 2)
			total -= y;
		else
			total++;
		for (int i = 0; i < y; i++)
			if (i == x)
				break;
		do {
			y += x > y ? 1 : -1;
		} while (y > x && y > 9);
		switch (y & 3) {
		case 0:
			total += x && y;
			break;
		case 2:
			total += x || y;
		}
	}
	return total;
}

__attribute__((noinline)) int never(int x)
{
	return x ? sum(x) : 3;
}

#ifdef OTHER
int other_main(int n);
int other_main(int n)
{
	return sum(n);
}
int main(void)
{
	return other_main(4) & 0;
}
#else
int main(int n, char **words)
{
	int (*volatile functions[])(int) = {sum, state};

	(void)words;
	return (call(functions[n & 1], n + 4) + call(functions[0], 7) + weigh(n + 8, 5)) & 0;
}
#endif
