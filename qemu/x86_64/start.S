/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.S - takes the CPU that boots from the PVH entry, which is 32-bit code without
 * paging, to C in the high half. An ELF note tells QEMU the address of this entry. The
 * other CPUs start in real mode and come through the trampoline.
 */
#include "cpus.h"
#include "smp.h"

#define VIRTUAL 0xffffffff80000000
#define PHYSICAL(symbol) (symbol - VIRTUAL)

#define PRESENT 0x001
#define WRITABLE 0x002
#define UNCACHED 0x018
#define LARGE 0x080 /* 2 MiB */
#define TABLE (PRESENT | WRITABLE)

#define CR0_PROTECTED_PAGED 0x80000001
#define CR4_PAE 0x20
#define MSR_EFER 0xc0000080
#define EFER_LONG_MODE 0x100

#define CPUID_FEATURES 1 /* this leaf has the CPU's id in the top byte of ebx */

#define NOTE_PHYS32_ENTRY 18

/*
 * Goes from real mode, or from 32-bit mode, to the 64-bit code at the label long_mode. The page
 * tables are those that begin at level4. Paging, long mode and protection are enabled at the same
 * time, so real mode needs no intermediate step. All other bits of CR0 are cleared, which also
 * enables the caches after a reset. @pointer is the address of the GDT's pointer. Does not change
 * edi.
 */
	.macro enter_long_mode pointer
	movl $CR4_PAE, %eax
	movl %eax, %cr4
	movl $PHYSICAL(level4), %eax
	movl %eax, %cr3
	movl $MSR_EFER, %ecx
	rdmsr
	orl $EFER_LONG_MODE, %eax
	wrmsr
	lgdtl \pointer
	movl $CR0_PROTECTED_PAGED, %eax
	movl %eax, %cr0
	ljmpl $0x08, $PHYSICAL(long_mode)
	.endm

	.section .note.Xen, "a", @note
	.balign 4
	.long 4, 8, NOTE_PHYS32_ENTRY
	.asciz "Xen"
	.quad PHYSICAL(start)

	.section .text.start, "ax", @progbits
	.code32
	.globl start
start:
	cld
	xorl %edi, %edi /* 0: the CPU that booted */
	enter_long_mode PHYSICAL(gdt_pointer)

	/*
	 * smp.c copies this code to SMP_TRAMPOLINE. The code starts there with CS at that page and
	 * IP 0. So all addresses in it must be relative to SMP_TRAMPOLINE.
	 */
	.code16
	.globl trampoline, trampoline_end
trampoline:
	cli
	cld
	xorl %edi, %edi
	movw %di, %ds
	incl %edi /* 1: another CPU */
	enter_long_mode SMP_TRAMPOLINE + (trampoline_gdt - trampoline)
	/* A copy of the GDT's pointer, because 16-bit code can reach only this page. The GDT may be at any address. */
trampoline_gdt:
	.word gdt_end - gdt - 1
	.long PHYSICAL(gdt)
trampoline_end:

	.code64
long_mode:
	movq $high_half, %rax
	jmp *%rax
high_half:
	/*
	 * Loads the GDT's pointer again. This time it contains an address that stays mapped when
	 * the low half is removed.
	 */
	lgdt gdt_pointer_high(%rip)
	movl $0x10, %eax
	movl %eax, %ds
	movl %eax, %es
	movl %eax, %ss
	xorl %eax, %eax
	movl %eax, %fs
	movl %eax, %gs
	/*
	 * Selects the stack by the CPU's id. Each id has a stack, because smp.c starts only CPUs
	 * with small ids (CPUS_MAX), and the CPU that boots has id 0.
	 */
	movl $CPUID_FEATURES, %eax
	cpuid
	shrl $24, %ebx
	imulq $CPU_STACK, %rbx, %rax
	movq $stacks_top, %rsp
	subq %rax, %rsp
	xorl %ebp, %ebp
	testl %edi, %edi
	jnz other
	/* A loader clears .bss at the first boot, but not at a reset. */
	cld
	xorl %eax, %eax
	movq $bss_start, %rdi
	movq $bss_end, %rcx
	subq %rdi, %rcx
	shrq $3, %rcx
	rep stosq
	call board_start
	ud2
other:
	movl %ebx, %edi
	call smp_enter
	ud2

	.section .data, "aw", @progbits
	.balign 16
	.globl gdt
gdt:
	.quad 0
	.quad 0x00af9b000000ffff /* 0x08: code, 64-bit, present, accessed */
	.quad 0x00cf93000000ffff /* 0x10: data */
	.fill 2 * CPUS_MAX, 8, 0 /* 0x18: task states, filled in by interrupt.c */
gdt_end:
gdt_pointer:
	.word gdt_end - gdt - 1
	.long PHYSICAL(gdt)
gdt_pointer_high:
	.word gdt_end - gdt - 1
	.quad gdt

	/*
	 * Maps the first GiB of memory, at 0 and at VIRTUAL, and the 4 MiB with the
	 * interrupt controllers.
	 */
	.balign 4096
level4:
	.quad PHYSICAL(level3_low) + TABLE
	.fill 510, 8, 0
	.quad PHYSICAL(level3_high) + TABLE
level3_low:
	.quad PHYSICAL(level2_first) + TABLE
	.fill 2, 8, 0
	.quad PHYSICAL(level2_devices) + TABLE
	.fill 508, 8, 0
level3_high:
	.fill 510, 8, 0
	.quad PHYSICAL(level2_first) + TABLE
	.quad 0
level2_first:
	.set page, 0
	.rept 512
	.quad page + LARGE + TABLE
	.set page, page + 0x200000
	.endr
level2_devices:
	.fill 502, 8, 0
	.quad 0xfec00000 + LARGE + UNCACHED + TABLE
	.quad 0xfee00000 + LARGE + UNCACHED + TABLE
	.fill 8, 8, 0

	.section .bss, "aw", @nobits
	.balign 16
	.skip CPUS_MAX * CPU_STACK
	.globl stacks_top
stacks_top:

	.section .note.GNU-stack, "", @progbits
