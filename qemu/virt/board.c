/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.c - QEMU's `virt` machine for Arm processors of the A profile, 64-bit
 * and 32-bit. The console is a PL011, files of the host are written by semihosting, and
 * a GICv2 delivers the generic timer's interrupt. The cpu.c of each board implements the rest of
 * board.h.
 */
#include "board.h"
#include "channel.h"
#include "cpu.h"
#include "cpus.h"
#include "gicv2.h"
#include "pl011.h"
#include "virt.h"

#include <bareprof/semihosting.h>

#define GIC_DISTRIBUTOR VIRT_GIC_DISTRIBUTOR
#define GIC_CPU         VIRT_GIC_CPU
#define UART            (CPU_DEVICES + 0x09000000u)
#define UART_CLOCK      24000000u
#define BAUD            115200u

#define INTERRUPT_TIMER GICV2_PRIVATE(11) /* the interrupt of the virtual timer */
#define INTERRUPT_UART  GICV2_SHARED(1)

void board_start(void)
{
	pl011_init(UART, UART_CLOCK * 4 / BAUD);
	board_constructors();
	kernel_main();
}

void board_init(void)
{
	gicv2_init(GIC_DISTRIBUTOR, GIC_CPU);
	gicv2_enable(GIC_DISTRIBUTOR, INTERRUPT_TIMER);
	gicv2_enable(GIC_DISTRIBUTOR, INTERRUPT_UART);
	cpu_sample(true);
	cpus_init(CPUS_MAX);
	channel_open();
}

void board_putc(char c)
{
	pl011_put(UART, (uint8_t)c);
}

int board_getc(void)
{
	return pl011_get(UART);
}

int board_write(const void *data, size_t n)
{
	return channel_write(data, n);
}

void board_timer(uint32_t microseconds)
{
	/* This number is rounded up, because the timer must not fire early. A late timer does no harm. */
	uint32_t ticks = (cpu_timer_frequency() + 999999) / 1000000;

	cpu_timer_arm(cpu_timer_count() + (uint64_t)microseconds * ticks);
}

void board_interrupt(void)
{
	uint32_t taken = gicv2_take(GIC_CPU);
	uint32_t number = gicv2_number(taken);

	if (number >= GICV2_NONE)
		return;
	if (number == INTERRUPT_TIMER) {
		/* The interrupt stays asserted until the timer is off. */
		cpu_timer_stop();
		kernel_tick();
	} else if (number == INTERRUPT_UART) {
		/* board_getc() reads the byte. The interrupt was only needed to end the wait. */
		pl011_quiet(UART);
	}
	gicv2_end(GIC_CPU, taken);
}

uint64_t board_nonce(void)
{
	uint64_t time = (uint32_t)bareprof_semihosting_call(BAREPROF_SEMIHOSTING_TIME, NULL);

	return time << 32 ^ cpu_timer_count();
}

void board_exit(int status)
{
	bareprof_semihosting_exit(status);
	for (;;)
		cpu_sleep();
}
