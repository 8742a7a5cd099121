/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virt.h - functions of board.c in this folder; the assembler code of the boards calls
 * them.
 */
#ifndef VIRT_H
#define VIRT_H

/* start.S calls this function on the kernel's stack, with interrupts masked. */
_Noreturn void board_start(void);

/* vectors.S calls this function with interrupts masked. */
void board_interrupt(void);

#endif
