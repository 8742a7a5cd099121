/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_first.c - the functions that code in the mode "calls" of a machine profile calls at the first
 * call of each function, and when a count reaches 2^31. `bareprof mip cc` adds one of these
 * sequences to the entry of a function. The count in the entry starts at -1. So the first call makes
 * the count 0, and the branch for a result greater than 0 is not taken.
 *
 *	AArch64                         AArch64, --atomic              Arm and Thumb-2
 *	adrp x16, entry                 ...                            ...
 *	ldr w17, [x16, :lo12:entry]     (leaves the entry in x16)      (leaves the entry in ip)
 *	adds w17, w17, #1
 *	str w17, [x16, :lo12:entry]
 *	b.gt 1f                         b.gt 1f                        bgt 1f
 *	mov x17, x30                    stp x16, x30, [sp, #-16]!      push {ip, lr}
 *	bl __bareprof_mip_first         bl __bareprof_mip_first_at     bl __bareprof_mip_first
 *	1:                              ldp x16, x30, [sp], #16        pop {ip, lr}
 *	                                1:                             1:
 *
 * A linker may put a veneer between the call and the function, and a veneer may change x16 or ip. So
 * the functions do not take the entry from x16 or ip. On AArch64, __bareprof_mip_first finds the
 * entry through the two instructions at the start of the sequence, so the code must be readable. The
 * other functions find the address of the entry on the stack.
 *
 * On AArch64, the functions change only x16, x17 and the flags. On Arm, they change only ip, lr and
 * the flags. All other registers may contain arguments of the function that is called.
 */
#include <bareprof/mip.h>

/* The code below contains these numbers. */
typedef char numbers_of_entry[BAREPROF_MIP_CALLS_ORDER == 4 && BAREPROF_MIP_ORDER_NONE == 0xffffffffu &&
					      BAREPROF_MIP_ORDER_MAX == (1 << 24) - 2 &&
					      BAREPROF_MIP_OVERFLOW_SHIFT == 24
				      ? 1
				      : -1];
typedef char offset_of_clock[offsetof(struct bareprof_state, clock) == 2 * sizeof(uintptr_t) ? 1 : -1];

/* A port defines another section if its linker script has no rule for this name. */
#ifndef BAREPROF_MIP_FIRST_SECTION
#define BAREPROF_MIP_FIRST_SECTION ".text.__bareprof_mip_first"
#endif

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

__asm__(
	".pushsection " BAREPROF_MIP_FIRST_SECTION ", \"ax\", %progbits\n\t"
	".balign 4\n\t"
	".hidden " GLOBAL_STATE "\n\t"
	FUNCTION("__bareprof_mip_first")
	"stp x0, x1, [sp, #-32]!\n\t"
	"stp x2, x3, [sp, #16]\n\t"
	"sub x2, x30, #28\n\t" /* address of adrp */
	"ldp w0, w1, [x2]\n\t" /* adrp and ldr */
	"ubfx w3, w0, #29, #2\n\t" /* lower two bits of the distance */
	"ubfx w1, w1, #10, #12\n\t" /* offset within the page, divided by 4 */
	"tbnz w0, #31, 4f\n\t"
	/* With a fix for an erratum of the Cortex-A53, a linker makes an adr from the adrp. */
	"sbfx x0, x0, #5, #19\n\t"
	"orr x0, x3, x0, lsl #2\n\t"
	"b 5f\n"
	"4:\tsbfx x0, x0, #5, #19\n\t"
	"orr x0, x3, x0, lsl #2\n\t"
	"lsl x0, x0, #12\n\t" /* distance in bytes from the page of adrp */
	"and x2, x2, #0xfffffffffffff000\n"
	"5:\tadd x0, x0, x2\n\t"
	"add x0, x0, x1, lsl #2\n\t" /* the entry */
	"mov x16, x30\n\t"
	"mov x30, x17\n\t"
	"b 6f\n\t"
	FUNCTION("__bareprof_mip_first_at")
	"stp x0, x1, [sp, #-32]!\n\t"
	"stp x2, x3, [sp, #16]\n\t"
	"ldr x0, [sp, #32]\n\t"
	"mov x16, x30\n"
	"6:\tldr w1, [x0, #4]\n\t"
	"cmn w1, #1\n\t"
	"b.ne 2f\n\t"
	"adrp x2, " GLOBAL_STATE "\n\t"
	"add x2, x2, :lo12:" GLOBAL_STATE "\n\t"
	"add x2, x2, #16\n"
	"1:\tldxr x1, [x2]\n\t"
	"add x1, x1, #1\n\t"
	"stxr w3, x1, [x2]\n\t"
	"cbnz w3, 1b\n\t"
	"mov w3, #0xfffe\n\t"
	"movk w3, #0xff, lsl #16\n\t"
	"cmp x1, x3\n\t"
	"csel x1, x1, x3, ls\n\t"
	"str w1, [x0, #4]\n"
	/* Clears bit 31 of the count in one step, so that only one CPU counts the overflow. */
	"2:\tldr w2, [x0]\n\t"
	"tbz w2, #31, 3f\n\t"
	"ldxr w2, [x0]\n\t"
	"and w17, w2, #0x7fffffff\n\t"
	"stxr w3, w17, [x0]\n\t"
	"cbnz w3, 2b\n\t"
	"tbz w2, #31, 3f\n\t"
	"mov w2, #0x1000000\n\t"
	"adds w1, w1, w2\n\t"
	"b.cs 3f\n\t" /* the number of overflows stays at 255 */
	"str w1, [x0, #4]\n"
	"3:\tldp x2, x3, [sp, #16]\n\t"
	"ldp x0, x1, [sp], #32\n\t"
	"ret x16\n\t"
	".size __bareprof_mip_first, . - __bareprof_mip_first\n\t"
	".popsection");

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
/* Armv6-M has no exclusive accesses. It has only one CPU, so it is enough to mask interrupts. */
#define BEGIN           "mrs r4, primask\n\tcpsid i\n\t"
#define END             "msr primask, r4\n\t"
#define LOAD(to, at)    "ldr " to ", [" at "]\n\t"
#define STORE(from, at) "str " from ", [" at "]\n\t"
#endif

__asm__(
	".pushsection " BAREPROF_MIP_FIRST_SECTION ", \"ax\", %progbits\n\t"
	".syntax unified\n\t"
	".balign 4\n\t"
	".hidden " GLOBAL_STATE "\n\t"
	STATE
	FUNCTION("__bareprof_mip_first")
	"push {r0, r1, r2, r3, r4}\n\t"
	BEGIN
	"ldr r0, [sp, #20]\n\t" /* the entry */
	"ldr r1, [r0, #4]\n\t"
	"adds r2, r1, #1\n\t"
	"bne 3f\n\t"
	"ldr r2, 9f\n"
	"8:\t" ADD_PC
	"1:\t" LOAD("r1", "r2")
	"adds r1, r1, #1\n\t"
	STORE("r1", "r2")
	"movs r3, #1\n\t"
	"lsls r3, r3, #24\n\t"
	"subs r3, r3, #2\n\t"
	"cmp r1, r3\n\t"
	"bls 2f\n\t"
	"mov r1, r3\n"
	"2:\tstr r1, [r0, #4]\n"
	/* Clears bit 31 of the count in one step, so that only one CPU counts the overflow. */
	"3:\tldr r2, [r0]\n\t"
	"cmp r2, #0\n\t"
	"bge 4f\n"
	"1:\t" LOAD("r3", "r0")
	"lsls r2, r3, #1\n\t"
	"lsrs r2, r2, #1\n\t"
	STORE("r2", "r0")
	"cmp r3, #0\n\t"
	"bge 4f\n\t"
	"movs r3, #1\n\t"
	"lsls r3, r3, #24\n\t"
	"adds r1, r1, r3\n\t"
	"bcs 4f\n\t" /* the number of overflows stays at 255 */
	"str r1, [r0, #4]\n"
	"4:\t" END
	"pop {r0, r1, r2, r3, r4}\n\t"
	"bx lr\n\t"
	".balign 4\n"
	"9:\t.4byte " GLOBAL_STATE " + 8 - (8b + " PC_AHEAD ")\n\t"
	".size __bareprof_mip_first, . - __bareprof_mip_first\n\t"
	".popsection");

#endif
/* clang-format on */
