/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_stub.h - parts of the functions that instrumented code calls: __bareprof_mip_first (mip_first.c) and
 * __bareprof_mip_sample (mip_sample.c).
 */
#ifndef BAREPROF_MIP_STUB_H
#define BAREPROF_MIP_STUB_H

#include <bareprof/mip.h>

/* The assembly contains these numbers, so they are checked here. */
typedef char numbers_of_entry[BAREPROF_MIP_CALLS_ORDER == 4 && BAREPROF_MIP_ORDER_NONE == 0xffffffffu &&
					      BAREPROF_MIP_ORDER_MAX == (1 << 24) - 2 &&
					      BAREPROF_MIP_OVERFLOW_SHIFT == 24
				      ? 1
				      : -1];
typedef char offset_of_clock[offsetof(struct bareprof_state, clock) == 2 * sizeof(uintptr_t) ? 1 : -1];

#define STRING(x)    #x
#define NAME(macro)  STRING(macro)
#define GLOBAL_STATE NAME(bareprof_global_state)

/* clang-format off */
#define FUNCTION(name) \
	".globl " name "\n\t" \
	".hidden " name "\n\t" \
	".type " name ", %function\n" \
	name ":\n\t"

#ifdef __aarch64__

/*
 * Sets x0 to the address of the entry, which the instructions adrp and ldr at the start of the sequence contain. x30
 * points to the end of the sequence. Changes x1 to x3. If the linker fixes an erratum of the Cortex-A53, it makes an
 * adr from the adrp.
 */
#define FIND_ENTRY \
	"sub x2, x30, #28\n\t" \
	"ldp w0, w1, [x2]\n\t" \
	"ubfx w3, w0, #29, #2\n\t" \
	"ubfx w1, w1, #10, #12\n\t" \
	"tbnz w0, #31, 4f\n\t" \
	"sbfx x0, x0, #5, #19\n\t" \
	"orr x0, x3, x0, lsl #2\n\t" \
	"b 5f\n" \
	"4:\tsbfx x0, x0, #5, #19\n\t" \
	"orr x0, x3, x0, lsl #2\n\t" \
	"lsl x0, x0, #12\n\t" \
	"and x2, x2, #0xfffffffffffff000\n" \
	"5:\tadd x0, x0, x2\n\t" \
	"add x0, x0, x1, lsl #2\n\t"

/*
 * Reads the order of the entry in x0 into w1. At the first call, takes the next order from the clock and stores it,
 * otherwise jumps to label 2. Changes x2 and x3.
 */
#define TAKE_ORDER \
	"ldr w1, [x0, #4]\n\t" \
	"cmn w1, #1\n\t" \
	"b.ne 2f\n\t" \
	"adrp x2, " GLOBAL_STATE "\n\t" \
	"add x2, x2, :lo12:" GLOBAL_STATE "\n\t" \
	"add x2, x2, #16\n" \
	"1:\tldxr x1, [x2]\n\t" \
	"add x1, x1, #1\n\t" \
	"stxr w3, x1, [x2]\n\t" \
	"cbnz w3, 1b\n\t" \
	"mov w3, #0xfffe\n\t" \
	"movk w3, #0xff, lsl #16\n\t" \
	"cmp x1, x3\n\t" \
	"csel x1, x1, x3, ls\n\t" \
	"str w1, [x0, #4]\n"

#elif defined(__ARM_FEATURE_LDREX) || (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M')

#ifdef __thumb__
#define STATE      ".thumb\n\t.thumb_func\n\t"
#define ADD_PC     "add r2, pc\n\t"
#define PC_AHEAD   "4"
#else
#define STATE      ".arm\n\t"
#define ADD_PC     "add r2, pc, r2\n\t"
#define PC_AHEAD   "8"
#endif

#ifdef __ARM_FEATURE_LDREX
#define BEGIN
#define END
#define LOAD(to, at)    "ldrex " to ", [" at "]\n\t"
#define STORE(from, at) "strex r4, " from ", [" at "]\n\tcmp r4, #0\n\tbne 1b\n\t"
#else
/* Armv6-M has no exclusive accesses, so interrupts are masked. mip.h has the limits on chips with two CPUs. */
#define BEGIN           "mrs r4, primask\n\tcpsid i\n\t"
#define END             "msr primask, r4\n\t"
#define LOAD(to, at)    "ldr " to ", [" at "]\n\t"
#define STORE(from, at) "str " from ", [" at "]\n\t"
#endif

/*
 * Reads the order of the entry in r0 into r1. At the first call, takes the next order from the clock and stores it,
 * otherwise jumps to label 3. The word at label 9 leads to the clock. Changes r2 to r4.
 */
#define TAKE_ORDER \
	"ldr r1, [r0, #4]\n\t" \
	"adds r2, r1, #1\n\t" \
	"bne 3f\n\t" \
	"ldr r2, 9f\n" \
	"8:\t" ADD_PC \
	"1:\t" LOAD("r1", "r2") \
	"adds r1, r1, #1\n\t" \
	STORE("r1", "r2") \
	"movs r3, #1\n\t" \
	"lsls r3, r3, #24\n\t" \
	"subs r3, r3, #2\n\t" \
	"cmp r1, r3\n\t" \
	"bls 2f\n\t" \
	"mov r1, r3\n" \
	"2:\tstr r1, [r0, #4]\n"

/* A word with the distance to @symbol from the instruction at @label, which is ADD_PC. */
#define DISTANCE(symbol, label) ".4byte " symbol " - (" label " + " PC_AHEAD ")\n\t"

#endif
/* clang-format on */

#endif
