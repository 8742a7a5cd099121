/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_sample.c - takes samples for a machine profile in the mode "calls,sample=N". Each function calls
 * __bareprof_mip_sample when it is called first, and then at every Nth call on average. `bareprof mip cc` adds this
 * sequence to the entry of a function:
 *
 *	incl entry(%rip)                 or lock incl, with --atomic
 *	jl 1f
 *	call __bareprof_mip_sample
 *	1:
 *
 * The count in the entry is the negative distance to the next sample. As in mip_first.c, the sequence needs no
 * register, and __bareprof_mip_sample changes no register except the flags. The steps of __bareprof_mip_sample are:
 * take the order at the first call, draw the distance k to the next sample, subtract k from the count, add k to the
 * distances drawn so far, and store callee and call site in the ring. So the count and the sum of the distances always
 * give the number of calls.
 *
 * A distance is a number from 1 to 2 N - 1, and N on average. It comes from a hash of the entry's address and the
 * distances drawn so far. If every Nth call were sampled, callers that call in turns could escape all samples.
 */
#include "mip_stub.h"

/* The code below contains these numbers. */
typedef char numbers_of_samples[BAREPROF_MIP_CALLS_DRAWN == 8 && BAREPROF_MIP_SAMPLES_HEADER == 8 &&
						BAREPROF_MIP_SAMPLES_TAKEN == 0 && BAREPROF_MIP_SAMPLE_SIZE == 8 &&
						BAREPROF_MIP_SAMPLE_CALLEE == 0 && BAREPROF_MIP_SAMPLE_SITE == 4
					? 1
					: -1];

#define CALLS_START "__start_" BAREPROF_MIP_BOUNDS_CALLS
#define RING_START  "__start_" BAREPROF_MIP_BOUNDS_SAMPLES
#define RING_STOP   "__stop_" BAREPROF_MIP_BOUNDS_SAMPLES

/* clang-format off */
__asm__(
	".pushsection .text.__bareprof_mip_sample, \"ax\", @progbits\n\t"
	".globl __bareprof_mip_sample\n\t"
	".hidden __bareprof_mip_sample\n\t"
	".hidden " GLOBAL_STATE "\n\t"
	".hidden " BAREPROF_MIP_PERIOD ", " CALLS_START ", " RING_START ", " RING_STOP "\n\t"
	".type __bareprof_mip_sample, @function\n"
	"__bareprof_mip_sample:\n\t"
	"pushq %rax\n\t"
	"pushq %rcx\n\t"
	"pushq %rdx\n\t"
	"pushq %rsi\n\t"
	FIND_ENTRY("32")
	TAKE_ORDER("2")
	"2:\tmovl 8(%rax), %esi\n\t"
	"addl %eax, %esi\n\t"
	"imull $0x9e3779b1, %esi, %esi\n\t"
	"movl %esi, %edx\n\t"
	"shrl $15, %edx\n\t"
	"xorl %edx, %esi\n\t"
	"imull $0x9e3779b1, %esi, %esi\n\t"
	"movb " BAREPROF_MIP_PERIOD "(%rip), %cl\n\t"
	"shrl %cl, %esi\n\t" /* 0 to 2 N - 1 */
	"jnz 3f\n\t"
	"movl $0x80000000, %esi\n\t"
	"shrl %cl, %esi\n" /* N instead of 0, so that the mean is N */
	"3:\tlock subl %esi, (%rax)\n\t"
	"lock addq %rsi, 8(%rax)\n\t"
	"leaq " CALLS_START "(%rip), %rdx\n\t"
	"subq %rdx, %rax\n\t"
	"incl %eax\n\t"
	"movq 40(%rsp), %rcx\n\t" /* the return address of the function that was called */
	"subq %rdx, %rcx\n\t"
	"movslq %ecx, %rdx\n\t"
	"cmpq %rcx, %rdx\n\t"
	"je 4f\n\t"
	"xorl %ecx, %ecx\n"
	"4:\tshlq $32, %rcx\n\t"
	"orq %rax, %rcx\n\t" /* the sample */
	"leaq " RING_START "(%rip), %rax\n\t"
	"leaq " RING_STOP "-16(%rip), %rdx\n\t"
	"subq %rax, %rdx\n\t"
	"jb 5f\n\t" /* no ring */
	"shrl $3, %edx\n\t" /* number of slots, minus 1 */
	"movl $1, %esi\n\t"
	"lock xaddl %esi, (%rax)\n\t"
	"andl %edx, %esi\n\t"
	"movq %rcx, 8(%rax, %rsi, 8)\n"
	"5:\tpopq %rsi\n\t"
	"popq %rdx\n\t"
	"popq %rcx\n\t"
	"popq %rax\n\t"
	BAREPROF_MIP_FIRST_RETURN
	".size __bareprof_mip_sample, . - __bareprof_mip_sample\n\t"
	".popsection");
/* clang-format on */
