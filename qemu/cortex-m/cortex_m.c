/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cortex_m.c - the functions of board.h that are the same on every Cortex-M. Some functions mask
 * interrupts or wait for an interrupt. Other functions use semihosting to write binary data, to
 * read the time and to end the machine.
 */
#include "board.h"
#include "channel.h"
#include "interrupt.h"
#include "sample_wait.h"

#include <bareprof/semihosting.h>

#define INTERRUPT_SET (*(volatile uint32_t *)0xe000e100) /* writing 1 to bit n enables interrupt n */

void board_init(void)
{
	board_devices();
	INTERRUPT_SET = 1u << INTERRUPT_UART | 1u << INTERRUPT_TIMER;
	channel_open();
}

int board_write(const void *data, size_t n)
{
	return channel_write(data, n);
}

uintptr_t board_irq_save(void)
{
	uintptr_t masked;

	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(masked) : : "memory");
	return masked;
}

void board_irq_restore(uintptr_t state)
{
	if (!(state & 1))
		__asm__ volatile("cpsie i" : : : "memory");
}

void board_wait(void)
{
	if (sample_wait())
		return;
	/*
	 * A pending interrupt ends wfi even while interrupts are masked. So an interrupt that
	 * arrives just before wfi is not missed.
	 */
	__asm__ volatile("wfi\n\tcpsie i\n\tisb\n\tcpsid i" : : : "memory");
}

uint64_t board_nonce(void)
{
	uint32_t time = (uint32_t)bareprof_semihosting_call(BAREPROF_SEMIHOSTING_TIME, NULL);

	return (uint64_t)time << 32 | board_ticks();
}

void board_exit(int status)
{
	bareprof_semihosting_exit(status);
	for (;;)
		__asm__ volatile("cpsid i\n\twfi");
}
