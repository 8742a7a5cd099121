/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virt.h - functions of board.c in this folder; the assembler code of the boards calls
 * them.
 */
#ifndef VIRT_H
#define VIRT_H

#include <stdint.h>

#include "cpu.h"

/* start.S calls this function on the kernel's stack, with interrupts masked. */
_Noreturn void board_start(void);

/* vectors.S calls this function with interrupts masked. */
void board_interrupt(void);

/*
 * Takes a sample, and arms the timer for the next one. vectors.S calls this function with all interrupts masked.
 * @frame and @stack are the frame pointer and the stack pointer of the code at @pc. Only images with SAMPLES have this
 * function.
 */
void sample_interrupt(uintptr_t pc, uintptr_t frame, uintptr_t stack);

/* The addresses of the interrupt controller. */
#define VIRT_GIC_DISTRIBUTOR (CPU_DEVICES + 0x08000000u)
#define VIRT_GIC_CPU         (CPU_DEVICES + 0x08010000u)

#endif
