/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - runs newlib's tests one after the other, each as a separate function, and
 * prints the results. A test ends with exit(), or with abort() if it failed.
 */
#include <setjmp.h>
#include <stdio.h>

int test_memcpy_1(void);
int test_memmove1(void);
int test_strcmp_1(void);
int test_tstring(void);
int test_size_max(void);
int test_atexit(void);

static const struct test {
	const char *name;
	int (*run)(void);
} tests[] = {
	{"memcpy-1", test_memcpy_1},
	{"memmove1", test_memmove1},
	{"strcmp-1", test_strcmp_1},
	{"tstring", test_tstring},
	{"size_max", test_size_max},
	{"atexit", test_atexit},
};

static jmp_buf end_of_test;

void test_exit(int status);

/* The tests are compiled in such a way that their calls of exit() call this function. */
void test_exit(int status)
{
	longjmp(end_of_test, status == 0 ? 1 : 2);
}

int main(void)
{
	const struct test *volatile test;
	volatile int failed = 0;

	for (test = tests; test < tests + sizeof(tests) / sizeof(*tests); test++) {
		int end = setjmp(end_of_test);

		if (end == 0)
			end = test->run() == 0 ? 1 : 2;
		printf("%s: %s\n", end == 1 ? "PASS" : "FAIL", test->name);
		failed += end != 1;
	}
	return failed;
}
