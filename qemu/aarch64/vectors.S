/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vectors.S - 16 entries of 128 bytes, one a vector. The kernel expects one of
 * them, an interrupt of itself; all others are the end of the machine, after a
 * look at its registers.
 */
#include "cpus.h"

#define VECTOR_IRQ 5 /* at the kernel's level and on its stack */
#define FAULT_STACK_SHIFT 12 /* 4 KiB */

	.macro x2_to_x17 what
	\what x2, x3, [sp, #16]
	\what x4, x5, [sp, #32]
	\what x6, x7, [sp, #48]
	\what x8, x9, [sp, #64]
	\what x10, x11, [sp, #80]
	\what x12, x13, [sp, #96]
	\what x14, x15, [sp, #112]
	\what x16, x17, [sp, #128]
	.endm

	.section .text, "ax", %progbits
	.balign 2048
	.globl vectors
vectors:
	.set vector, 0
	.rept 16
	.balign 128
	.if vector == VECTOR_IRQ
	b irq
	.else
	/* Thread pointers are free to keep what has to be changed first. */
	msr tpidr_el1, x0
	mov x0, #vector
	b fault
	.endif
	.set vector, vector + 1
	.endr

	.balign 128
irq:
	/* All that a function may change. */
	stp x0, x1, [sp, #-176]!
	x2_to_x17 stp
	stp x18, x30, [sp, #144]
	mrs x0, elr_el1
	mrs x1, spsr_el1
	stp x0, x1, [sp, #160]
	bl board_interrupt
	ldp x0, x1, [sp, #160]
	msr elr_el1, x0
	msr spsr_el1, x1
	x2_to_x17 ldp
	ldp x18, x30, [sp, #144]
	ldp x0, x1, [sp], #176
	eret

	/* On a stack of its own, one for each CPU, since the usual one may be what is broken. */
fault:
	msr tpidr_el0, x1
	mov x1, sp
	msr tpidrro_el0, x1
	ldr x1, =fault_stacks_top - 256
	mov sp, x1
	mrs x1, mpidr_el1
	and x1, x1, #CPUS_MAX - 1
	lsl x1, x1, #FAULT_STACK_SHIFT
	sub sp, sp, x1
	x2_to_x17 stp
	stp x18, x19, [sp, #144]
	stp x20, x21, [sp, #160]
	stp x22, x23, [sp, #176]
	stp x24, x25, [sp, #192]
	stp x26, x27, [sp, #208]
	stp x28, x29, [sp, #224]
	mrs x2, tpidr_el1
	mrs x3, tpidr_el0
	stp x2, x3, [sp]
	mrs x2, tpidrro_el0
	stp x30, x2, [sp, #240]
	mov x1, x0
	mov x0, sp
	bl exception

	.section .bss.fault_stacks, "aw", %nobits
	.balign 16
	.skip CPUS_MAX << FAULT_STACK_SHIFT
fault_stacks_top:

	.section .note.GNU-stack, "", %progbits
