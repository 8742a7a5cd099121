__attribute__((noinline)) int loop(int n)
{
	for (int i = 0; i < n; i++)
		n ^= i * 5;
	return n;
}
static __attribute__((noinline)) int leaf(int n)
{
	if (n > 5)
		return n - 1;
	return n * n;
}
static int small(int n)
{
	if (n & 1)
		return loop(n);
	return leaf(n);
}
int test(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += small(i);
	return sum;
}
