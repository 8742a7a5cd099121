/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.S - takes a processor from QEMU's entry point, at EL1 without address
 * translation, to C in the high half. The CPU that boots and the CPUs that are started later run
 * the same code. Only the C function that this code calls at the end differs.
 */
#include "cpus.h"

#define VIRTUAL 0xffffff8000000000

/* Each entry of a level 1 table maps 1 GiB, and the table maps 512 GiB. */
#define BLOCK 0x1
#define ATTRIBUTES(n) ((n) << 2)
#define INNER_SHAREABLE 0x300
#define ACCESSED 0x400
#define NO_EXECUTE (0x3 << 53)
#define DEVICE (NO_EXECUTE | ACCESSED | ATTRIBUTES(0) | BLOCK)
#define MEMORY (ACCESSED | INNER_SHAREABLE | ATTRIBUTES(1) | BLOCK)
#define MAIR 0xff00 /* attributes 0: device, strictly ordered; attributes 1: cached for reads and writes */

/* Both halves have 39-bit addresses and 4 KiB pages; table walks are cached. */
#define TCR_LOW (0x3500 | 25)
#define TCR_HIGH ((0x3500 | 25) << 16 | 0x2 << 30)
#define TCR_NO_LOW 0x80

/*
 * The bits that must be one, and the bits that enable instruction cache, stack alignment check,
 * data cache and translation.
 */
#define SCTLR (0x30d00800 | 0x1000 | 0x8 | 0x4 | 0x1)

	.section .text.start, "ax", %progbits
	.globl start, start_other
start:
	ldr x19, =board_start
	b 1f
start_other:
	ldr x19, =cpus_enter
1:	msr daifset, #15
	msr spsel, #1
	ldr x0, =MAIR
	msr mair_el1, x0
	ldr x1, =TCR_LOW | TCR_HIGH
	msr tcr_el1, x1
	/* Both halves use the same table until the code runs in the high half. */
	ldr x0, =level1 - VIRTUAL
	msr ttbr0_el1, x0
	msr ttbr1_el1, x0
	tlbi vmalle1
	dsb sy
	isb
	ldr x0, =SCTLR
	msr sctlr_el1, x0
	isb
	ldr x0, =high_half
	br x0
high_half:
	orr x1, x1, #TCR_NO_LOW
	msr tcr_el1, x1
	isb
	tlbi vmalle1
	dsb sy
	ldr x0, =vectors
	msr vbar_el1, x0
	isb
	/* The CPU that boots clears .bss, because a loader clears it at the first boot, but not at a reset. */
	ldr x0, =board_start
	cmp x19, x0
	b.ne 3f
	ldr x0, =bss_start
	ldr x1, =bss_end
2:	cmp x0, x1
	b.hs 3f
	str xzr, [x0], #8
	b 2b
3:
	/* The id is the lowest affinity field. It is unique, because a machine with a GICv2 has one cluster of CPUs. */
	mrs x0, mpidr_el1
	and x0, x0, #CPUS_MAX - 1
	ldr x1, =stacks_top
	mov x2, #CPU_STACK
	msub x1, x0, x2, x1
	mov sp, x1
	mov x29, xzr
	mov x30, xzr
	br x19 /* the argument of the C function is the id, in x0 */

	.section .data, "aw", %progbits
	.balign 4096
level1:
	.quad 0x00000000 + DEVICE
	.quad 0x40000000 + MEMORY
	.fill 510, 8, 0

	.section .bss, "aw", %nobits
	.balign 16
	.skip CPUS_MAX * CPU_STACK
	.globl stacks_top
stacks_top:

	.section .note.GNU-stack, "", %progbits
