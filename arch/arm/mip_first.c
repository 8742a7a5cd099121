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
#include "mip_stub.h"

/* A port defines another section if its linker script has no rule for this name. */
#ifndef BAREPROF_MIP_FIRST_SECTION
#define BAREPROF_MIP_FIRST_SECTION ".text.__bareprof_mip_first"
#endif

/* clang-format off */
#ifdef __aarch64__

__asm__(
	".pushsection " BAREPROF_MIP_FIRST_SECTION ", \"ax\", %progbits\n\t"
	".balign 4\n\t"
	".hidden " GLOBAL_STATE "\n\t"
	FUNCTION("__bareprof_mip_first")
	"stp x0, x1, [sp, #-32]!\n\t"
	"stp x2, x3, [sp, #16]\n\t"
	FIND_ENTRY
	"mov x16, x30\n\t"
	"mov x30, x17\n\t"
	"b 6f\n\t"
	FUNCTION("__bareprof_mip_first_at")
	"stp x0, x1, [sp, #-32]!\n\t"
	"stp x2, x3, [sp, #16]\n\t"
	"ldr x0, [sp, #32]\n\t"
	"mov x16, x30\n"
	"6:\t"
	TAKE_ORDER
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
	TAKE_ORDER
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
	"9:\t" DISTANCE(GLOBAL_STATE " + 8", "8b")
	".size __bareprof_mip_first, . - __bareprof_mip_first\n\t"
	".popsection");

#endif
/* clang-format on */
