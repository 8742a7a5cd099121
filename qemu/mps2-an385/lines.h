/* SPDX-License-Identifier: BSD-2-Clause */
/* lines.h - the numbers of the interrupts of this board's devices. */
#ifndef LINES_H
#define LINES_H

#define INTERRUPT_UART  0 /* raised when a byte has arrived */
#define INTERRUPT_TIMER 8

#endif
