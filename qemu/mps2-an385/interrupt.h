/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interrupt.h - what the vector table of this board holds.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#define INTERRUPT_UART0  0 /* a byte has come */
#define INTERRUPT_TIMER0 8

/* In fault_entry.S: saves registers, goes on in fault.c. */
void fault_entry(void);

void uart_interrupt(void);
void timer_interrupt(void);

/* The console alone, so that a fault can be reported early. */
void board_console(void);

#endif
