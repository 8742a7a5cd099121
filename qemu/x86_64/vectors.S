/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vectors.S - the entry code of 48 vectors, 16 bytes for each. All entries save the
 * registers as struct frame in interrupt.c describes, and call interrupt().
 */
#define HAS_ERROR_CODE 0x60227d00 /* one bit for each of the vectors 8, 10 to 14, 17, 21, 29, 30 */

	.section .text, "ax", @progbits
	.balign 16
	.globl vectors
vectors:
	.set vector, 0
	.rept 48
	.balign 16
	.if vector > 31 || !((HAS_ERROR_CODE >> vector) & 1)
	pushq $0
	.endif
	pushq $vector
	jmp entry
	.set vector, vector + 1
	.endr

	.balign 16
entry:
	pushq %rax
	pushq %rbx
	pushq %rcx
	pushq %rdx
	pushq %rsi
	pushq %rdi
	pushq %rbp
	pushq %r8
	pushq %r9
	pushq %r10
	pushq %r11
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	cld
	movq %rsp, %rdi
	/* The stack is aligned to 16 bytes here, because the processor aligned it, and the frame has 22 * 8 bytes. */
	call interrupt
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %r11
	popq %r10
	popq %r9
	popq %r8
	popq %rbp
	popq %rdi
	popq %rsi
	popq %rdx
	popq %rcx
	popq %rbx
	popq %rax
	addq $16, %rsp
	iretq

	.section .note.GNU-stack, "", @progbits
