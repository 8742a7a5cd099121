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
#include <bareprof/mip.h>

/* The code below contains these numbers. */
typedef char numbers_of_entry[BAREPROF_MIP_CALLS_ORDER == 4 && BAREPROF_MIP_ORDER_NONE == 0xffffffffu &&
					      BAREPROF_MIP_ORDER_MAX == 0xfffffe && BAREPROF_MIP_OVERFLOW_SHIFT == 24
				      ? 1
				      : -1];
typedef char offset_of_clock[offsetof(struct bareprof_state, clock) == 16 ? 1 : -1];

/* A port defines another section if its linker script has no rule for this name. */
#ifndef BAREPROF_MIP_FIRST_SECTION
#define BAREPROF_MIP_FIRST_SECTION ".text.__bareprof_mip_first"
#endif

/* A port defines other instructions if its tree replaces each return, as Linux does. */
#ifndef BAREPROF_MIP_FIRST_RETURN
#define BAREPROF_MIP_FIRST_RETURN "ret\n\t"
#endif

#define STRING(x)    #x
#define NAME(macro)  STRING(macro)
#define GLOBAL_STATE NAME(bareprof_global_state)

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
	"movq 16(%rsp), %rax\n\t" /* the return address, 13 bytes after the start of incl */
	"movslq -11(%rax), %rcx\n\t" /* the displacement */
	"leaq -7(%rax, %rcx), %rax\n\t" /* the entry; the displacement is relative to the end of incl */
	"movl 4(%rax), %ecx\n\t"
	"cmpl $-1, %ecx\n\t"
	"jne 2f\n\t"
	"movl $1, %ecx\n\t"
	"lock xaddq %rcx, " GLOBAL_STATE "+16(%rip)\n\t"
	"incq %rcx\n\t"
	"cmpq $0xfffffe, %rcx\n\t"
	"jbe 1f\n\t"
	"movl $0xfffffe, %ecx\n"
	"1:\tmovl %ecx, 4(%rax)\n"
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
