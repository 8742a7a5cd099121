/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry.S - AArch64: starts the hypervisor, which QEMU enters at EL2. Also enters and leaves the
 * guest. Addresses are not translated at EL2, so the processor treats all memory as a device. For
 * this reason C code is compiled with -mstrict-align.
 */
#include "../../aarch64/registers.inc"

#define VECTOR_GUEST 8 /* synchronous exception from EL1 in 64-bit state */
#define GUEST_STATE 0x3c5 /* EL1 with its own stack, interrupts masked */
#define GUEST_CONTROL 0x30d00800 /* SCTLR_EL1: translation and caches are off */

	.section .text.start, "ax", %progbits
	.globl start
start:
	msr daifset, #15
	ldr x0, =vectors
	msr vbar_el2, x0
	ldr x0, =stack_top
	mov sp, x0
	mov x29, xzr
	mov x30, xzr
	b hyper_main

	.section .text, "ax", %progbits
	.balign 2048
vectors:
	.set vector, 0
	.rept 16
	.balign 128
	.if vector == VECTOR_GUEST
	b guest
	.else
	mov x0, #vector
	b hyper_fault
	.endif
	.set vector, vector + 1
	.endr

	.balign 128
guest:
	stp x0, x1, [sp, #-256]!
	x2_to_x17 stp
	x18_to_x29 stp
	str x30, [sp, #240]
	mov x0, sp
	bl hyper_exit
	b leave

	.globl cpu_enter
cpu_enter:
	msr elr_el2, x0
	mov x0, #GUEST_STATE
	msr spsr_el2, x0
	ldr x0, =GUEST_CONTROL
	msr sctlr_el1, x0
	/* Continues as if the guest had just exited with zeros in all registers. */
	ldr x0, =stack_top - 256
	mov sp, x0
	mov x1, #256
1:	subs x1, x1, #8
	str xzr, [x0], #8
	b.ne 1b
leave:
	ldr x30, [sp, #240]
	x18_to_x29 ldp
	x2_to_x17 ldp
	ldp x0, x1, [sp], #256
	eret

	.section .changes.stack, "aw", %nobits
	.balign 16
	.skip 16384
stack_top:

	.section .note.GNU-stack, "", %progbits
