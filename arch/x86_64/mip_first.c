/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_first.c - the function that code in the mode "calls" of a machine profile calls at the first
 * call of each function, and when a count reaches 2^31. `bareprof mip cc` adds this sequence to the
 * entry of a function:
 *
 *	incl entry(%rip)                 or lock incl, with --atomic
 *	jg 1f
 *	call __bareprof_mip_first
 *	1:
 *
 * The count in the entry starts at -1. So the first call makes the count 0, and jg (greater than 0)
 * does not jump. The sequence needs no register, because gcc's -fipa-ra may keep values in any
 * register during a call. For the same reason __bareprof_mip_first changes no register except the
 * flags. It finds the entry through the displacement of the instruction incl, so the code must be
 * readable.
 */
#include "mip_stub.h"

/* A port defines another section if its linker script has no rule for this name. */
#ifndef BAREPROF_MIP_FIRST_SECTION
#define BAREPROF_MIP_FIRST_SECTION ".text.__bareprof_mip_first"
#endif

/* clang-format off */
__asm__(
	".pushsection " BAREPROF_MIP_FIRST_SECTION ", \"ax\", @progbits\n\t"
	".globl __bareprof_mip_first\n\t"
	".hidden __bareprof_mip_first\n\t"
	".hidden " GLOBAL_STATE "\n\t"
	".type __bareprof_mip_first, @function\n"
	"__bareprof_mip_first:\n\t"
	"pushq %rax\n\t"
	"pushq %rcx\n\t"
	FIND_ENTRY("16")
	TAKE_ORDER("2")
	/* Clears bit 31 of the count in one step, so that only one CPU counts the overflow. */
	"2:\tlock btrl $31, (%rax)\n\t"
	"jnc 3f\n\t"
	"addl $0x1000000, %ecx\n\t"
	"jc 3f\n\t" /* the number of overflows stays at 255 */
	"movl %ecx, 4(%rax)\n"
	"3:\tpopq %rcx\n\t"
	"popq %rax\n\t"
	BAREPROF_MIP_FIRST_RETURN
	".size __bareprof_mip_first, . - __bareprof_mip_first\n\t"
	".popsection");
/* clang-format on */
