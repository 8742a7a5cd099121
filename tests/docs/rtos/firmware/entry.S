/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry.S - the vector table, the entry after reset, and the switch between threads. Threads use the process stack.
 * Handlers use the main stack, so a handler works even if a thread has used up its stack.
 */
	.syntax unified
	.thumb

	.section .isr_vector, "a"
	.word _estack, reset, hang, fault_handler, fault_handler, fault_handler, fault_handler, 0, 0, 0, 0
	.word hang, hang, 0, switch_handler, rtos_tick
	.word uart_interrupt, hang, hang, hang, hang, hang, hang, hang, rtos_timer

	.text
	.type reset, %function
	.globl reset
reset:
	cpsid	i
	ldr	r0, =boot_stack_top
	msr	psp, r0
	movs	r0, #2 /* thread mode uses the process stack */
	msr	control, r0
	isb
	bl	start

	.type hang, %function
hang:
	b	hang

	.type fault_handler, %function
fault_handler:
	bl	hook_fault
	b	hang

/* Saves the registers that the processor has not saved, and continues with the thread that rtos_next() selects. */
	.type switch_handler, %function
switch_handler:
	mrs	r0, psp
	stmdb	r0!, {r4-r11, lr}
	bl	rtos_next
	ldmia	r0!, {r4-r11, lr}
	msr	psp, r0
	bx	lr

	.bss
	.balign	8
	.skip	2048
boot_stack_top:

	.section .note.GNU-stack, "", %progbits
