/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.c - the Stellaris LM3S6965, a chip with little memory, as QEMU emulates it.
 * UART0 is the console, and timer 0 is the timer. The clock keeps the speed that it has
 * after reset. QEMU does not require pins to be assigned or device clocks to be enabled.
 */
#include "board.h"
#include "interrupt.h"
#include "pl011.h"
#include "sample_wait.h"

#define CLOCK 12500000u
#define BAUD  115200u
#define UART0 0x4000c000u

struct timer {
	volatile uint32_t width; /* 0: one timer of 32 bits, not two timers of 16 bits */
	volatile uint32_t mode;
	uint32_t unused;
	volatile uint32_t control;
	uint32_t unused2[2];
	volatile uint32_t interrupt_enable;
	volatile uint32_t interrupt_raw;
	volatile uint32_t interrupt_masked;
	volatile uint32_t interrupt_clear;
	volatile uint32_t load;
};

#define TIMER0           ((struct timer *)0x40030000)
#define TIMER_ONCE       0x1u
#define TIMER_ENABLE     0x1u
#define TIMER_INTERRUPT  0x1u
#define TICKS_OF_2       (CLOCK / 500000u) /* ticks in two microseconds */
#define SYSTICK_CONTROL  (*(volatile uint32_t *)0xe000e010) /* runs all the time, for the nonce */
#define SYSTICK_RELOAD   (*(volatile uint32_t *)0xe000e014)
#define SYSTICK_VALUE    (*(volatile uint32_t *)0xe000e018)
#define SYSTICK_OF_CLOCK 0x5u
#define SYSTICK_MOST     0xffffffu

const uint32_t board_clock = CLOCK;
const char board_name[] = "lm3s6965evb";

void board_console(void)
{
	pl011_init(UART0, CLOCK * 4 / BAUD);
}

void board_devices(void)
{
	SYSTICK_RELOAD = SYSTICK_MOST;
	SYSTICK_CONTROL = SYSTICK_OF_CLOCK;
}

uint32_t board_ticks(void)
{
	return SYSTICK_VALUE;
}

void board_putc(char c)
{
	pl011_put(UART0, (uint8_t)c);
}

int board_getc(void)
{
	return pl011_get(UART0);
}

void board_timer(uint32_t microseconds)
{
	uint32_t most = UINT32_MAX / TICKS_OF_2;
	uint32_t pairs = (microseconds >> 1) + (microseconds & 1);

	TIMER0->control = 0;
	TIMER0->width = 0;
	TIMER0->mode = TIMER_ONCE;
	TIMER0->load = pairs == 0 ? 1 : (pairs > most ? most : pairs) * TICKS_OF_2;
	TIMER0->interrupt_enable = TIMER_INTERRUPT;
	TIMER0->control = TIMER_ENABLE;
}

void timer_interrupt(void)
{
	TIMER0->interrupt_clear = TIMER_INTERRUPT;
	kernel_tick();
}

void uart_interrupt(void)
{
	/* board_getc() reads the byte. The interrupt was only needed to end the wait. */
	pl011_quiet(UART0);
}
