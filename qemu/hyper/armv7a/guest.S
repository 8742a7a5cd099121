/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.S - starts the guest in supervisor mode, and makes its hypercalls.
 */
	.syntax unified
	.arm

	.section .text.start, "ax", %progbits
	.globl start
start:
	ldr sp, =stack_top
	mov r11, #0
	mov lr, #0
	b guest_main

	/* Loads r0 to r11 from memory, makes the hypercall, and stores the registers again. */
	.section .text, "ax", %progbits
	.globl call_registers
call_registers:
	push {r0, r4-r11, lr}
	ldm r0, {r0-r11}
	hvc #0
	ldr lr, [sp]
	stm lr, {r0-r11}
	pop {r0, r4-r11, pc}

	.section .bss, "aw", %nobits
	.balign 16
	.skip 16384
stack_top:

	.section .note.GNU-stack, "", %progbits
