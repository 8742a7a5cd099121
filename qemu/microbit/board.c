/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.c - the BBC micro:bit with its nRF51822, as QEMU emulates it. The UART is the
 * console, and timer 0 is the timer.
 */
#include "board.h"
#include "interrupt.h"
#include "nrf51_uart.h"
#include "sample_wait.h"

#define UART         0x40002000u
#define PIN_SEND     24u
#define PIN_RECEIVE  25u
#define TIMER0       0x40008000u
#define TIMER1       0x40009000u /* runs all the time, for the nonce */
#define MICROSECONDS 4u /* prescaler for 1 MHz, which is 16 MHz divided by 2 to the power of 4 */
#define WIDTH_16     0u
#define WIDTH_32     3u
#define MATCH        0x10000u

/* Registers of a timer. Writing 1 to a task register starts the task. */
enum {
	TASK_START = 0x000,
	TASK_STOP = 0x004,
	TASK_CLEAR = 0x00c,
	TASK_CAPTURE = 0x040,
	EVENT_MATCH = 0x140,
	INTERRUPT_ENABLE = 0x304,
	WIDTH = 0x508,
	PRESCALER = 0x510,
	COMPARE = 0x540,
};

const uint32_t board_clock = 16000000u;
const char board_name[] = "microbit";

static volatile uint32_t *at(uintptr_t base, uintptr_t offset)
{
	return (volatile uint32_t *)(base + offset);
}

void board_console(void)
{
	nrf51_uart_init(UART, PIN_SEND, PIN_RECEIVE);
}

void board_devices(void)
{
	*at(TIMER0, WIDTH) = WIDTH_32;
	*at(TIMER0, PRESCALER) = MICROSECONDS;
	*at(TIMER0, INTERRUPT_ENABLE) = MATCH;
	/* Only timer 0 can have 32 bits. */
	*at(TIMER1, WIDTH) = WIDTH_16;
	*at(TIMER1, PRESCALER) = 0;
	*at(TIMER1, TASK_START) = 1;
}

uint32_t board_ticks(void)
{
	*at(TIMER1, TASK_CAPTURE) = 1;
	return *at(TIMER1, COMPARE);
}

void board_putc(char c)
{
	nrf51_uart_put(UART, (uint8_t)c);
}

int board_getc(void)
{
	return nrf51_uart_get(UART);
}

void board_timer(uint32_t microseconds)
{
	*at(TIMER0, TASK_STOP) = 1;
	*at(TIMER0, TASK_CLEAR) = 1;
	*at(TIMER0, EVENT_MATCH) = 0;
	*at(TIMER0, COMPARE) = microseconds ? microseconds : 1;
	*at(TIMER0, TASK_START) = 1;
}

void timer_interrupt(void)
{
	/* Stops the timer, which would otherwise continue to count. */
	*at(TIMER0, TASK_STOP) = 1;
	*at(TIMER0, EVENT_MATCH) = 0;
	kernel_tick();
}

void uart_interrupt(void)
{
	/* board_getc() reads the byte. The interrupt was only needed to end the wait. */
	nrf51_uart_quiet(UART);
}
