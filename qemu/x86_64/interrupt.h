/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interrupt.h - the vectors of this board.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#define VECTOR_TIMER    0x20
#define VECTOR_SERIAL   0x24
#define VECTOR_SPURIOUS 0x2f /* the low four bits have to be set */
#define VECTORS         0x30

/* Fill the vector table, which all CPUs share. */
void interrupt_init(void);

/* On each CPU: load that table, and the stack that a double fault uses there. */
void interrupt_cpu(unsigned int id);

#endif
