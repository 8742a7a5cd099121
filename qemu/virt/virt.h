/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virt.h - functions of board.c in this folder; the assembler code of the boards calls
 * them.
 */
#ifndef VIRT_H
#define VIRT_H

/* Called by start.S on the kernel's stack, with interrupts masked. */
_Noreturn void board_start(void);

/* Called by vectors.S with interrupts masked. */
void board_interrupt(void);

#endif
