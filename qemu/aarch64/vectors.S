/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vectors.S - the vector table: 16 entries of 128 bytes. The kernel expects only one exception: an
 * interrupt from the kernel's own exception level. The entries of all other exceptions report the
 * registers and end the machine.
 */
#include "cpus.h"
#include "registers.inc"

#define VECTOR_IRQ 5 /* an interrupt from the kernel's level, on the kernel's own stack */
#define VECTOR_FIQ 6 /* the same for an FIQ, which takes a sample */
#define FAULT_STACK_SHIFT 12 /* 4 KiB */

	.section .text, "ax", %progbits
	.balign 2048
	.globl vectors
vectors:
	.set vector, 0
	.rept 16
	.balign 128
	.if vector == VECTOR_IRQ
	b irq
#ifdef DEMO_SAMPLES
	.elseif vector == VECTOR_FIQ
	b fiq
#endif
	.else
	/* The code below needs two registers. It saves them in the thread pointers, which the kernel does not use. */
	msr tpidr_el1, x0
	mov x0, #vector
	b fault
	.endif
	.set vector, vector + 1
	.endr

	/* Saves all registers that a C function may change. */
	.macro save
	stp x0, x1, [sp, #-176]!
	x2_to_x17 stp
	stp x18, x30, [sp, #144]
	mrs x0, elr_el1
	mrs x1, spsr_el1
	stp x0, x1, [sp, #160]
	.endm
	.macro restore
	ldp x0, x1, [sp, #160]
	msr elr_el1, x0
	msr spsr_el1, x1
	x2_to_x17 ldp
	ldp x18, x30, [sp, #144]
	ldp x0, x1, [sp], #176
	eret
	.endm

	.balign 128
irq:
	save
#ifdef DEMO_SAMPLES
	/* Now an FIQ may change elr_el1 and spsr_el1. So the handler can be sampled too. */
	msr daifclr, #1
	bl board_interrupt
	msr daifset, #1
#else
	bl board_interrupt
#endif
	restore

#ifdef DEMO_SAMPLES
fiq:
	save
	mov x1, x29
	add x2, sp, #176
	bl sample_interrupt /* PC, frame pointer, stack pointer */
	restore
#endif

	/*
	 * This code runs on a separate stack, because the usual stack may be the cause of the fault. Each CPU has its
	 * own stack for faults.
	 */
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
	x18_to_x29 stp
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
