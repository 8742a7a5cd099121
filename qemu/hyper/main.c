/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - first runs instrumented code in the hypervisor. This code consists of self tests of some
 * parts of the demo kernel. Then runs the guest, which pulls the profile of this code.
 */
#include "board.h"
#include "console.h"
#include "hyper.h"
#include "selftest.h"

static int disappointed;

void selftest_expect(bool holds, const char *condition, const char *file, int line)
{
	if (holds)
		return;
	disappointed++;
	console_printf("%s:%d: failed: %s\n", file, line, condition);
}

void hyper_main(void)
{
	const uint64_t *table;

	board_init();
	board_constructors();
	profile_start();
	console_printf("bareprof hypervisor on %s\n", board_name);
	test_strings();
	test_format();
	test_ring();
	test_alloc();
	table = tables_start();
	guest_load();
	cpu_start(table);
	console_printf("guest of %u KiB, self tests %s\n", GUEST_PAGES * (PAGE_SIZE / 1024),
		disappointed ? "failed" : "passed");
	cpu_enter(GUEST_BASE);
}
