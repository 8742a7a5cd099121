/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry.S - Armv7-A: starts the hypervisor, which QEMU enters in Hyp mode. Also enters and leaves the guest.
 * Addresses are not translated in Hyp mode, so all memory is strictly ordered. For this reason C code is compiled
 * with -mno-unaligned-access.
 */
#define GUEST_STATE 0x1d3 /* supervisor mode, ARM state, interrupts and aborts masked */

	.syntax unified
	.arm

	.section .text.start, "ax", %progbits
	.globl start
start:
	cpsid aif
	ldr r0, =vectors
	mcr p15, 4, r0, c12, c0, 0
	ldr sp, =stack_top
	mov r11, #0
	mov lr, #0
	b hyper_main

	.section .text, "ax", %progbits
	.balign 32
vectors:
	.irp vector, 0, 1, 2, 3, 4
	b fault\vector
	.endr
	b guest
	b fault6
	b fault7

	.irp vector, 0, 1, 2, 3, 4, 6, 7
fault\vector:
	mov r0, #\vector
	b hyper_fault
	.endr

	/* Hyp mode has its own register for the return address, so lr still has the guest's value. */
guest:
	push {r0-r12, lr}
	mov r0, sp
	bl hyper_exit
	pop {r0-r12, lr}
	eret

	.globl cpu_enter
cpu_enter:
	msr elr_hyp, r0
	ldr r0, =GUEST_STATE
	msr spsr_cxsf, r0
	ldr sp, =stack_top
	.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
	mov r\i, #0
	.endr
	mov lr, #0
	eret

	.section .changes.stack, "aw", %nobits
	.balign 16
	.skip 16384
stack_top:

	.section .note.GNU-stack, "", %progbits
