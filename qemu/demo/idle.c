/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * idle.c - loops that wait. The number of their iterations depends on the machine. This file is never instrumented,
 * because the profile should depend only on the commands that the kernel executes.
 *
 * Each loop checks a condition, and then calls board_wait(). Interrupts are enabled only inside
 * board_wait(). So an interrupt that arrives after the check is still pending, and ends the wait.
 */
#include "board.h"
#include "idle.h"

int idle_getc(void)
{
	int c = board_getc();

	while (c < 0) {
		board_wait();
		c = board_getc();
	}
	return c;
}

void idle_until(const volatile int *flag)
{
	while (!*flag)
		board_wait();
}

static void put(const char *s)
{
	while (*s != '\0')
		board_putc(*s++);
}

void idle_board(void)
{
	_Static_assert(BOARD_CPUS_MAX < 10, "one digit");

	put(board_name);
	put(", ");
	board_putc((char)('0' + board_cpus()));
	put(board_cpus() == 1 ? " CPU" : " CPUs");
}
