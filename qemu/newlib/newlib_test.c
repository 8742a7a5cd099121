/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * newlib_test.c - runs newlib's own tests, each as a function. A test ends by calling
 * exit(), or abort() if it failed.
 */
#include <setjmp.h>
#include <unistd.h>

#include "selftest.h"

int newlib_memcpy_1(void);
int newlib_memmove1(void);
int newlib_strcmp_1(void);
int newlib_tstring(void);
int newlib_size_max(void);
int newlib_atexit(void);
void newlib_exit(int status);

static jmp_buf end_of_test;

/* Replaces exit() in tests. */
void newlib_exit(int status)
{
	longjmp(end_of_test, status == 0 ? 1 : 2);
}

/* abort() calls this function as its last step. */
void _exit(int status)
{
	(void)status;
	newlib_exit(1);
	__builtin_unreachable();
}

static bool passes(int (*test)(void))
{
	int end = setjmp(end_of_test);

	if (end == 0)
		end = test() == 0 ? 1 : 2;
	return end == 1;
}

void test_newlib(void)
{
	EXPECT(passes(newlib_memcpy_1));
	EXPECT(passes(newlib_memmove1));
	EXPECT(passes(newlib_strcmp_1));
	EXPECT(passes(newlib_tstring));
	EXPECT(passes(newlib_size_max));
	EXPECT(passes(newlib_atexit));
}
