/* SPDX-License-Identifier: BSD-2-Clause */
/* lines.h - which interrupts this board's devices raise. */
#ifndef LINES_H
#define LINES_H

#define INTERRUPT_UART  5 /* a byte has come */
#define INTERRUPT_TIMER 19

#endif
