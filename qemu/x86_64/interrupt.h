/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interrupt.h - the interrupt vectors of this board.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <stdint.h>

#define VECTOR_NMI      2
#define VECTOR_TIMER    0x20
#define VECTOR_SERIAL   0x24
#define VECTOR_SPURIOUS 0x2f /* the low four bits must be set */
#define VECTORS         0x30

/* The registers that vectors.S saves on the stack. */
struct frame {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8;
	uint64_t rbp, rdi, rsi, rdx, rcx, rbx, rax;
	uint64_t vector, error;
	uint64_t rip, cs, rflags, rsp, ss;
};

/* Takes a sample (sample.c). Only images with SAMPLES have this function. */
void sample_interrupt(const struct frame *frame);

/* Fills the vector table, which all CPUs share. */
void interrupt_init(void);

/* Runs on each CPU @id: loads the vector table, and the stack that a double fault uses on this CPU. */
void interrupt_cpu(unsigned int id);

#endif
