/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.S - starts the guest in 64-bit mode, and makes its hypercalls. The guest's page tables are
 * in the second page of its memory.
 */
#include "registers.inc"

#define PRESENT 0x001
#define WRITABLE 0x002
#define USER 0x004
#define HUGE 0x080 /* 1 GiB */
#define TABLE (PRESENT | WRITABLE | USER)

#define PROGRAM_DATA 0x1b
#define PROGRAM_CODE 0x23
#define FLAGS_PORTS 0x3002 /* the program may use I/O ports */

	.section .text.start, "ax", @progbits
	.globl start
start:
	leaq stack_top(%rip), %rsp
	xorl %ebp, %ebp
	call guest_main
	ud2

	/* Maps the first 4 GiB to the same addresses. */
	.balign 4096
	.quad level3 + TABLE
	.fill 511, 8, 0
level3:
	.set page, 0
	.rept 4
	.quad page + HUGE + TABLE
	.set page, page + 0x40000000
	.endr
	.fill 508, 8, 0

	/*
	 * Loads all registers except the stack pointer from memory, makes the hypercall, and stores
	 * the registers again.
	 */
	.section .text, "ax", @progbits
	.globl call_registers
call_registers:
	push_preserved
	pushq %rdi
	movq %rdi, %rax
	registers load
	movq (%rax), %rax
	vmmcall
	pushq %rax
	movq 8(%rsp), %rax
	registers store
	popq %rdi
	movq %rdi, (%rax)
	popq %rdi
	pop_preserved
	ret

	/* Returns to the caller, which from then on runs as a program. */
	.globl enter_program
enter_program:
	lgdt gdt_pointer(%rip)
	popq %rax
	movq %rsp, %rcx
	pushq $PROGRAM_DATA
	pushq %rcx
	pushq $FLAGS_PORTS
	pushq $PROGRAM_CODE
	pushq %rax
	iretq

	.section .data, "aw", @progbits
	.balign 16
gdt:
	.quad 0, 0, 0
	.quad 0x00cff3000000ffff /* 0x18: data segment of programs */
	.quad 0x00affb000000ffff /* 0x20: code segment of programs, 64-bit */
gdt_pointer:
	.word . - gdt - 1
	.quad gdt

	.section .bss, "aw", @nobits
	.balign 16
	.skip 16384
stack_top:

	.section .note.GNU-stack, "", @progbits
