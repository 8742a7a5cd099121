/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interrupt.h - the interrupt vectors of this board.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#define VECTOR_TIMER    0x20
#define VECTOR_SERIAL   0x24
#define VECTOR_SPURIOUS 0x2f /* the low four bits must be set */
#define VECTORS         0x30

/* Fills the vector table, which all CPUs share. */
void interrupt_init(void);

/* Runs on each CPU @id: loads the vector table, and the stack that a double fault uses on this CPU. */
void interrupt_cpu(unsigned int id);

#endif
