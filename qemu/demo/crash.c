/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crash.c - three functions that fail on request. The kernel itself detects the failure in crash_panic(). The
 * processor detects the failure in crash_fault(). Nothing detects the failure in crash_hang().
 */
#include <stdint.h>

#include "board.h"
#include "console.h"
#include "cov.h"
#include "crash.h"

#define STATUS_PANIC 4

_Noreturn void crash_panic(const char *why)
{
	console_printf("panic: %s\n", why);
	cov_dump();
	board_exit(STATUS_PANIC);
}

void crash_fault(void)
{
	/*
	 * This address is at seven eighths of the address space. It is not canonical on x86-64, and
	 * out of range on AArch64. On Armv7-A there is no code at this address. A Cortex-M also faults
	 * because the address is even, which means that the code there is not Thumb code.
	 */
	void (*volatile nowhere)(void) = (void (*)(void))(UINTPTR_MAX - (UINTPTR_MAX >> 3));

	nowhere();
	console_puts("the fault did not occur\n");
}

_Noreturn void crash_hang(void)
{
	static volatile uint32_t turns;

	for (;;)
		turns = turns + 1;
}
