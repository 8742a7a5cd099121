/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vectors.S - the vector table: eight entries of one instruction each. The entries are ARM code
 * even if the kernel is Thumb code. The kernel expects only interrupts. All other entries report
 * the registers and end the machine.
 */
#define MODE_SUPERVISOR 0x13
#ifdef __thumb__
#define FRAME_POINTER r7
#else
#define FRAME_POINTER r11
#endif

	.syntax unified
	.arm

	.section .text, "ax", %progbits
	.balign 32
	.globl vectors
vectors:
	b .
	b fault1
	b fault2
	b fault3
	b fault4
	b .
	b irq
#ifdef DEMO_SAMPLES
	b fiq
#else
	b fault7
#endif

	/*
	 * This code runs on the kernel's stack. At an interrupt the stack may be aligned to only 4
	 * bytes, but C needs 8 bytes.
	 */
	.macro save
	sub lr, lr, #4
	srsdb sp!, #MODE_SUPERVISOR
	cps #MODE_SUPERVISOR
	push {r0-r3, r12, lr}
	add r2, sp, #32 /* the stack pointer of the interrupted code */
	ldr r0, [sp, #24] /* its PC */
	and r1, sp, #4
	sub sp, sp, r1
	push {r1, r2}
	.endm
	.macro restore
	pop {r1, r2}
	add sp, sp, r1
	pop {r0-r3, r12, lr}
	rfeia sp!
	.endm

irq:
	save
	bl board_interrupt
	restore

#ifdef DEMO_SAMPLES
	/* Takes a sample. C code in Thumb state has its frame pointer in r7, other code in r11. */
fiq:
	save
	mov r1, FRAME_POINTER
	bl sample_interrupt /* PC, frame pointer, stack pointer */
	restore
#endif

	/*
	 * Each fault mode has a stack of its own (start.S), because the kernel's stack may be the
	 * cause of the fault.
	 */
	.irp vector, 1, 2, 3, 4, 7
fault\vector:
	push {r0-r12, lr}
	mov r1, #\vector
	b fault
	.endr

fault:
	mrs r4, spsr
	mrs r5, cpsr
	cps #MODE_SUPERVISOR
	mov r2, sp
	mov r3, lr
	msr cpsr_c, r5
	push {r2, r3, r4}
	mov r0, sp
	bic sp, sp, #7
	bl exception

	.section .note.GNU-stack, "", %progbits
