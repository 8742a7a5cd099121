/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interrupt.h - the handlers in the vector table, and the functions that start-up code needs from
 * the board.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <stdint.h>

/* INTERRUPT_UART and INTERRUPT_TIMER, from the board's folder. */
#include "lines.h"

/* Saves the registers and continues in fault.c. Implemented in fault_entry.S. */
void fault_entry(void);

/* Each board implements the next two functions. */
void uart_interrupt(void);
void timer_interrupt(void);

/* Prepares only the console, so that a fault can be reported early. */
void board_console(void);

/* Prepares the board's devices. board_init() calls it before it enables interrupts. */
void board_devices(void);

/* Returns a number that changes all the time. */
uint32_t board_ticks(void);

#endif
