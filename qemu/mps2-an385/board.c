/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.c - Arm's MPS2 board with the Cortex-M3 of AN385, as QEMU emulates it. UART0 is
 * the console, and timer 0 is the timer.
 */
#include "board.h"
#include "cmsdk_uart.h"
#include "interrupt.h"
#include "sample_wait.h"

#define CLOCK 25000000u
#define BAUD  115200u
#define UART0 0x40004000u

struct timer {
	volatile uint32_t control;
	volatile uint32_t value;
	volatile uint32_t reload;
	volatile uint32_t interrupt; /* writing 1 clears the interrupt */
};

#define TIMER0          ((struct timer *)0x40000000)
#define TIMER1          ((struct timer *)0x40001000) /* runs all the time, for the nonce */
#define TIMER_ENABLE    0x1u
#define TIMER_INTERRUPT 0x8u
#define TICKS           (CLOCK / 1000000u) /* ticks in a microsecond */

const uint32_t board_clock = CLOCK;
const char board_name[] = "mps2-an385";

void board_console(void)
{
	cmsdk_uart_init(UART0, CLOCK / BAUD);
}

void board_devices(void)
{
	TIMER1->reload = UINT32_MAX;
	TIMER1->value = UINT32_MAX;
	TIMER1->control = TIMER_ENABLE;
}

uint32_t board_ticks(void)
{
	return TIMER1->value;
}

void board_putc(char c)
{
	cmsdk_uart_put(UART0, (uint8_t)c);
}

int board_getc(void)
{
	return cmsdk_uart_get(UART0);
}

void board_timer(uint32_t microseconds)
{
	uint32_t most = UINT32_MAX / TICKS;
	uint32_t ticks = (microseconds > most ? most : microseconds) * TICKS;

	TIMER0->control = 0;
	TIMER0->reload = ticks ? ticks : 1;
	TIMER0->value = ticks ? ticks : 1;
	TIMER0->control = TIMER_ENABLE | TIMER_INTERRUPT;
}

void timer_interrupt(void)
{
	/* Stops the timer, which would otherwise restart by itself. */
	TIMER0->control = 0;
	TIMER0->interrupt = 1;
	kernel_tick();
}

void uart_interrupt(void)
{
	/* board_getc() reads the byte. The interrupt was only needed to end the wait. */
	cmsdk_uart_quiet(UART0);
}
