/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subject.c - code to instrument: loops, a switch, conditions of several parts (for MC/DC), a function that never
 * runs, and static functions.
 */
int subject(int n);
int never(int n);

static int classify(int a, int b, int c)
{
	if ((a > 3 && b < 7) || (c == 5 && a != b))
		return 1;
	switch (a % 4) {
	case 0:
		return b;
	case 1:
		return c;
	default:
		return a || (b && c);
	}
}

static unsigned int hash(const char *s)
{
	unsigned int h = 5381;

	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h;
}

int never(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i & 1 ? i : -i;
	return sum;
}

int subject(int n)
{
	int total = 0;

	for (int i = 0; i < n; i++)
		for (int j = i; j < n; j++)
			total += classify(i, j, i ^ j);
	return total + (int)(hash("subject") & 1) + (n < 0 ? never(n) : 0);
}
