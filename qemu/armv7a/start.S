/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.S - takes the processor from QEMU's entry point, which is in ARM state, to C code, which
 * may be in Thumb state. Sets the vector table, and a stack for each fault mode.
 */
#define MODE_FAST 0x11
#define MODE_SUPERVISOR 0x13
#define MODE_ABORT 0x17
#define MODE_UNDEFINED 0x1b

	.syntax unified
	.arm

	.section .text.start, "ax", %progbits
	.globl start
	.type start, %function
start:
	ldr r0, =fault_stack_top
	cpsid if, #MODE_FAST
	mov sp, r0
	cps #MODE_ABORT
	mov sp, r0
	cps #MODE_UNDEFINED
	mov sp, r0
	cps #MODE_SUPERVISOR
	ldr sp, =stacks_top
	ldr r0, =vectors
	mcr p15, 0, r0, c12, c0, 0
	isb
	/* A loader clears .bss at the first boot, but not at a reset. */
	ldr r0, =bss_start
	ldr r1, =bss_end
	mov r2, #0
1:	cmp r0, r1
	strlo r2, [r0], #4
	blo 1b
	mov r11, #0
	mov lr, #0
	ldr r0, =board_start
	bx r0

	.section .bss, "aw", %nobits
	.balign 16
	.skip 16384
	.globl stacks_top
stacks_top: /* the only stack, because the board has one CPU */
	.skip 4096
fault_stack_top:

	.section .note.GNU-stack, "", %progbits
