/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_stub.h - parts of the two functions that instrumented code calls: __bareprof_mip_first (mip_first.c) and
 * __bareprof_mip_sample (mip_sample.c).
 */
#ifndef BAREPROF_MIP_STUB_H
#define BAREPROF_MIP_STUB_H

#include <bareprof/mip.h>

/* The code contains these numbers. */
typedef char numbers_of_entry[BAREPROF_MIP_CALLS_ORDER == 4 && BAREPROF_MIP_ORDER_NONE == 0xffffffffu &&
					      BAREPROF_MIP_ORDER_MAX == 0xfffffe && BAREPROF_MIP_OVERFLOW_SHIFT == 24
				      ? 1
				      : -1];
typedef char offset_of_clock[offsetof(struct bareprof_state, clock) == 16 ? 1 : -1];

/* A port defines other instructions if its tree replaces each return, as Linux does. */
#ifndef BAREPROF_MIP_FIRST_RETURN
#define BAREPROF_MIP_FIRST_RETURN "ret\n\t"
#endif

#define STRING(x)    #x
#define NAME(macro)  STRING(macro)
#define GLOBAL_STATE NAME(bareprof_global_state)

/* clang-format off */
/*
 * Sets rax to the address of the entry. @saved is the number of bytes between rsp and the return address. Changes rcx.
 */
#define FIND_ENTRY(saved) \
	"movq " saved "(%rsp), %rax\n\t" /* the return address, 13 bytes after the start of incl */ \
	"movslq -11(%rax), %rcx\n\t" /* the displacement */ \
	"leaq -7(%rax, %rcx), %rax\n\t" /* the displacement is relative to the end of incl */

/*
 * Reads the order of the entry in rax into ecx. At the first call, takes the next order from the clock and stores
 * it. Changes rcx. @label is the number of a local label.
 */
#define TAKE_ORDER(label) \
	"movl 4(%rax), %ecx\n\t" \
	"cmpl $-1, %ecx\n\t" \
	"jne " label "f\n\t" \
	"movl $1, %ecx\n\t" \
	"lock xaddq %rcx, " GLOBAL_STATE "+16(%rip)\n\t" \
	"incq %rcx\n\t" \
	"cmpq $0xfffffe, %rcx\n\t" \
	"jbe 1f\n\t" \
	"movl $0xfffffe, %ecx\n" \
	"1:\tmovl %ecx, 4(%rax)\n"
/* clang-format on */

#endif
