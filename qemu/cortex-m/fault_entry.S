/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault_entry.S - the handler of every fault. Saves the registers that the processor did not save.
 * They are saved on a separate stack, because the usual stack may be the cause of the fault.
 */
	.syntax unified
	.thumb

	.section .text.fault, "ax", %progbits
	.globl fault_entry
	.type fault_entry, %function
	.thumb_func
fault_entry:
	mov r12, sp /* the processor saved r0-r3, r12, lr, pc and xpsr at the address in sp */
	ldr r0, =fault_stack_top
	mov sp, r0
	/* Armv6-M cannot push r8-r11, so they are copied to r0-r3 first. */
	mov r0, r8
	mov r1, r9
	mov r2, r10
	mov r3, r11
	push {r0-r3}
	push {r4-r7}
	mov r0, r12
	mov r1, sp
	bl fault

	.section .bss.fault_stack, "aw", %nobits
	.balign 8
	.skip 1024
fault_stack_top:

	.section .note.GNU-stack, "", %progbits
