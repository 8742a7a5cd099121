/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry.S - x86_64: takes the hypervisor from the PVH entry, which is 32-bit code without paging,
 * to C at its physical address. Also enters and leaves the guest. There are no exception handlers,
 * so an exception resets the machine, and QEMU ends.
 */
#include "registers.inc"

#define PRESENT 0x001
#define WRITABLE 0x002
#define LARGE 0x080 /* 2 MiB */
#define TABLE (PRESENT | WRITABLE)

#define CR0_PROTECTED_PAGED 0x80000001
#define CR4_PAE 0x20
#define MSR_EFER 0xc0000080
#define EFER_LONG_MODE_AND_SVM 0x1100

#define NOTE_PHYS32_ENTRY 18

/* The offset of the guest's rax in a control block. */
#define BLOCK_RAX 0x5f8

	.section .note.Xen, "a", @note
	.balign 4
	.long 4, 8, NOTE_PHYS32_ENTRY
	.asciz "Xen"
	.quad start

	.section .text.start, "ax", @progbits
	.code32
	.globl start
start:
	cld
	movl $CR4_PAE, %eax
	movl %eax, %cr4
	movl $level4, %eax
	movl %eax, %cr3
	movl $MSR_EFER, %ecx
	rdmsr
	orl $EFER_LONG_MODE_AND_SVM, %eax
	wrmsr
	lgdtl gdt_pointer
	movl $CR0_PROTECTED_PAGED, %eax
	movl %eax, %cr0
	ljmpl $0x08, $long_mode
	.code64
long_mode:
	movl $0x10, %eax
	movl %eax, %ds
	movl %eax, %es
	movl %eax, %ss
	leaq stack_top(%rip), %rsp
	xorl %ebp, %ebp
	call hyper_main
	ud2

	/*
	 * Runs the guest until it exits. rdi is the physical address of the control block, which is also
	 * its virtual address. rsi is the address of the guest's registers.
	 */
	.globl cpu_run
cpu_run:
	push_preserved
	pushq %rsi
	pushq %rdi
	movq (%rsi), %rax
	movq %rax, BLOCK_RAX(%rdi)
	movq %rsi, %rax
	registers load
	movq (%rsp), %rax
	vmrun %rax
	/* When vmrun ends, it restores only rax and rsp. All other registers still have the guest's values. */
	movq 8(%rsp), %rax
	registers store
	popq %rdi
	popq %rsi
	movq BLOCK_RAX(%rdi), %rax
	movq %rax, (%rsi)
	pop_preserved
	ret

	.section .data, "aw", @progbits
	.balign 16
gdt:
	.quad 0
	.quad 0x00af9b000000ffff /* 0x08: code, 64-bit, present, accessed */
	.quad 0x00cf93000000ffff /* 0x10: data */
gdt_end:
gdt_pointer:
	.word gdt_end - gdt - 1
	.long gdt

	/* Maps the first GiB of memory to the same addresses. */
	.balign 4096
level4:
	.quad level3 + TABLE
	.fill 511, 8, 0
level3:
	.quad level2 + TABLE
	.fill 511, 8, 0
level2:
	.set page, 0
	.rept 512
	.quad page + LARGE + TABLE
	.set page, page + 0x200000
	.endr

	.section .changes.stack, "aw", @progbits
	.balign 16
	.skip 16384
stack_top:

	.section .note.GNU-stack, "", @progbits
