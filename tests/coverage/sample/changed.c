/* SPDX-License-Identifier: BSD-2-Clause */
/* changed.c - has other functions if CHANGED is defined, for a profile that does not fit the program. */
static int changed(int n)
{
	if (n > 1)
		return 3;
#ifdef CHANGED
	while (n--)
		if (n == 3)
			break;
#endif
	return n;
}

static int same(int n)
{
	return n ? 1 : 2;
}

static int shorter(int n)
{
#ifdef CHANGED
	n++;
#else
	if (n)
		n--;
#endif
	return n;
}

#ifdef CHANGED
int added(int n)
{
	return n;
}
#else
int removed(int n)
{
	return n > 3 && same(n) ? 1 : 0;
}
#endif

int main(void)
{
	return changed(2) + same(1) + shorter(1) == 0;
}
