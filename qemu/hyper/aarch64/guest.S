/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.S - starts the guest at EL1, and makes its hypercalls.
 */
#include "../../aarch64/registers.inc"

	.section .text.start, "ax", %progbits
	.globl start
start:
	ldr x0, =stack_top
	mov sp, x0
	mov x29, xzr
	mov x30, xzr
	b guest_main

	/* Loads x0 to x17 from memory, makes the hypercall, and stores the registers again. */
	.section .text, "ax", %progbits
	.globl call_registers
call_registers:
	stp x0, x30, [sp, #-16]!
	x2_to_x17 ldp, x0
	ldp x0, x1, [x0]
	hvc #0
	ldr x30, [sp]
	stp x0, x1, [x30]
	x2_to_x17 stp, x30
	ldp x0, x30, [sp], #16
	ret

	.section .bss, "aw", %nobits
	.balign 16
	.skip 16384
stack_top:

	.section .note.GNU-stack, "", %progbits
