/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * selftest.c - the table of tests, and the functions that they share. A test passes if
 * all of its expectations hold.
 */
#include "console.h"
#include "selftest.h"
#include "strings.h"

struct selftest {
	const char *name;
	void (*function)(void);
};

static const struct selftest selftests[] = {
	{"strings", test_strings},
	{"format", test_format},
	{"ring", test_ring},
	{"alloc", test_alloc},
	{"timer", test_timer},
	{"task", test_task},
	{"smp", test_smp},
#ifdef DEMO_KINDS
	{"kinds", test_kinds},
#endif
#ifdef DEMO_NEWLIB
	{"newlib", test_newlib},
	{"library", test_library},
#endif
#ifdef DEMO_COMPRESS
	{"compress", test_compress},
#endif
#ifdef DEMO_WORK
	{"work", test_work},
#endif
};

static int disappointed; /* number of failed expectations of the current test */
static int failures;

void selftest_expect(bool holds, const char *condition, const char *file, int line)
{
	if (holds)
		return;
	disappointed++;
	console_printf("  %s:%d: failed: %s\n", file, line, condition);
}

static int run_one(const struct selftest *test)
{
	disappointed = 0;
	test->function();
	console_printf("%s %s\n", disappointed ? "FAIL" : "pass", test->name);
	return disappointed ? 1 : 0;
}

int selftest_run(const char *name)
{
	const struct selftest *test = selftests;
	const struct selftest *end = selftests + sizeof(selftests) / sizeof(selftests[0]);
	int run = 0;
	int failed = 0;

	for (; test < end; test++) {
		if (name != NULL && !str_equal(name, test->name))
			continue;
		run++;
		failed += run_one(test);
	}
	failures += failed;
	if (run == 0)
		return -1;
	console_printf("%d passed, %d failed\n", run - failed, failed);
	return failed;
}

int selftest_failures(void)
{
	return failures;
}
