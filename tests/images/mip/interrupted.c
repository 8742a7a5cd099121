/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interrupted.c - the shell's command stress: the main program and a timer's interrupt call shared() at the same time.
 * Prints the number of calls that both made.
 */
#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "console.h"
#include "timer.h"

#define CALLS 300000u

void stress_run(uint32_t seconds);

static volatile uint32_t interrupts;

static __attribute__((noinline)) void shared(void)
{
	__asm__ volatile("");
}

static bool fire(struct timer *timer)
{
	interrupts++;
	shared();
	timer_start(timer, 50, fire, NULL);
	return false;
}

static void enable_interrupts(void)
{
#if defined(__x86_64__)
	__asm__ volatile("sti" : : : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("msr daifclr, #2" : : : "memory");
#else
	__asm__ volatile("cpsie i" : : : "memory");
#endif
}

void stress_run(uint32_t seconds)
{
	static struct timer timer;
	uint32_t i;

	(void)seconds;
	timer_start(&timer, 50, fire, NULL);
	board_timer(50);
	enable_interrupts();
	for (i = 0; i < CALLS; i++)
		shared();
	board_irq_save();
	timer_stop(&timer);
	console_printf("%u turns, %u of them in interrupts\n", CALLS + interrupts, interrupts);
}
