/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interrupt.h - what the vector table holds and who asks the board for what.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <stdint.h>

/* INTERRUPT_UART and INTERRUPT_TIMER, from the board's folder. */
#include "lines.h"

/* In fault_entry.S: saves registers, goes on in fault.c. */
void fault_entry(void);

/* The board's own. */
void uart_interrupt(void);
void timer_interrupt(void);

/* The console alone, so that a fault can be reported early. */
void board_console(void);

/* The board's devices, for board_init(); interrupts are enabled after that. */
void board_devices(void);

/* A number that changes all the time. */
uint32_t board_ticks(void);

#endif
