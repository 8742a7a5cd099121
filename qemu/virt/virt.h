/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virt.h - where the assembler code of the boards that use board.c beside this
 * file comes in.
 */
#ifndef VIRT_H
#define VIRT_H

/* From start.S, on the kernel's stack, interrupts masked. */
_Noreturn void board_start(void);

/* From vectors.S, interrupts masked. */
void board_interrupt(void);

#endif
