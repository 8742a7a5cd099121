/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_sample.c - the functions that code in the mode "calls,sample=N" of a machine profile calls at the first call of
 * each function, and then at every Nth call on average. The entry sequences are those of mip_first.c, but the branch is
 * taken for a result less than 0, and the functions are __bareprof_mip_sample and, on AArch64 with --atomic,
 * __bareprof_mip_sample_at. They change the same registers.
 *
 * The count in the entry is the negative distance to the next sample. The steps are: take the order at the first call,
 * draw the distance k to the next sample, subtract k from the count, add k to the distances drawn so far, and store
 * callee and call site in the ring. So the count and the sum of the distances always give the number of calls.
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
#define HIDDEN \
	".hidden " GLOBAL_STATE "\n\t" \
	".hidden " BAREPROF_MIP_PERIOD "\n\t" \
	".hidden " CALLS_START "\n\t" \
	".hidden " RING_START "\n\t" \
	".hidden " RING_STOP "\n\t"

#ifdef __aarch64__

__asm__(
	".pushsection .text.__bareprof_mip_sample, \"ax\", %progbits\n\t"
	".balign 4\n\t"
	HIDDEN
	FUNCTION("__bareprof_mip_sample")
	"stp x0, x1, [sp, #-48]!\n\t"
	"stp x2, x3, [sp, #16]\n\t"
	"stp x4, x5, [sp, #32]\n\t"
	FIND_ENTRY
	"mov x16, x30\n\t"
	"mov x30, x17\n\t"
	"b 6f\n\t"
	FUNCTION("__bareprof_mip_sample_at")
	"stp x0, x1, [sp, #-48]!\n\t"
	"stp x2, x3, [sp, #16]\n\t"
	"stp x4, x5, [sp, #32]\n\t"
	"ldp x0, x17, [sp, #48]\n\t"
	"mov x16, x30\n"
	"6:\t"
	TAKE_ORDER
	"2:\tldr w1, [x0, #8]\n\t"
	"add w1, w1, w0\n\t"
	"mov w2, #0x79b1\n\t"
	"movk w2, #0x9e37, lsl #16\n\t"
	"mul w1, w1, w2\n\t"
	"eor w1, w1, w1, lsr #15\n\t"
	"mul w1, w1, w2\n\t"
	"adrp x2, " BAREPROF_MIP_PERIOD "\n\t"
	"ldrb w2, [x2, :lo12:" BAREPROF_MIP_PERIOD "]\n\t"
	"mov w3, #0x80000000\n\t"
	"lsr w3, w3, w2\n\t"
	"lsr w1, w1, w2\n\t" /* 0 to 2 N - 1 */
	"cmp w1, #0\n\t"
	"csel w1, w3, w1, eq\n" /* N instead of 0, so that the mean is N */
	"1:\tldxr w2, [x0]\n\t"
	"sub w2, w2, w1\n\t"
	"stxr w3, w2, [x0]\n\t"
	"cbnz w3, 1b\n\t"
	"add x0, x0, #8\n"
	"1:\tldxr x2, [x0]\n\t"
	"add x2, x2, x1\n\t"
	"stxr w3, x2, [x0]\n\t"
	"cbnz w3, 1b\n\t"
	"adrp x1, " CALLS_START "\n\t"
	"add x1, x1, :lo12:" CALLS_START "\n\t"
	"sub x0, x0, x1\n\t"
	"sub w0, w0, #7\n\t" /* the offset of the entry, plus 1 */
	/* Removes the signature of the return address. On processors without signatures, this does nothing. */
	"mov x2, x30\n\t"
	"mov x30, x17\n\t"
	"hint #7\n\t"
	"sub x1, x30, x1\n\t"
	"mov x30, x2\n\t"
	"cmp x1, w1, sxtw\n\t"
	"csel x1, x1, xzr, eq\n\t"
	"orr x0, x0, x1, lsl #32\n\t" /* the sample */
	"adrp x1, " RING_START "\n\t"
	"add x1, x1, :lo12:" RING_START "\n\t"
	"adrp x2, " RING_STOP "\n\t"
	"add x2, x2, :lo12:" RING_STOP "\n\t"
	"sub x2, x2, x1\n\t"
	"subs x2, x2, #16\n\t"
	"b.lo 3f\n\t" /* no ring */
	"lsr x2, x2, #3\n" /* number of slots, minus 1 */
	"1:\tldxr w3, [x1]\n\t"
	"add w4, w3, #1\n\t"
	"stxr w5, w4, [x1]\n\t"
	"cbnz w5, 1b\n\t"
	"and w3, w3, w2\n\t"
	"add x1, x1, #8\n\t"
	"str x0, [x1, x3, lsl #3]\n"
	"3:\tldp x4, x5, [sp, #32]\n\t"
	"ldp x2, x3, [sp, #16]\n\t"
	"ldp x0, x1, [sp], #48\n\t"
	"ret x16\n\t"
	".size __bareprof_mip_sample, . - __bareprof_mip_sample\n\t"
	".popsection");

#elif defined(__ARM_FEATURE_LDREX) || (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M')

#ifdef __thumb__
#define ADD_PC_R3 "add r3, pc\n\t"
#else
#define ADD_PC_R3 "add r3, pc, r3\n\t"
#endif

/* Stores the sample r0, r1 in the slot at r5 + 8. */
#if defined(__ARM_FEATURE_LDREX) && (__ARM_FEATURE_LDREX & 8) && \
	!(defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M')
/* One instruction stores both words. (Some compilers claim this for Armv8-M, too.) */
#define STORE_SAMPLE \
	"adds r5, #8\n" \
	"1:\tldrexd r2, r3, [r5]\n\t" \
	"strexd r4, r0, r1, [r5]\n\t" \
	"cmp r4, #0\n\t" \
	"bne 1b\n"
#else
/*
 * An interrupt may come between the two words. Its code finds an empty slot. If its samples filled the whole ring, the
 * slot may have words of two samples, so the slot is emptied. r2 has the ring, r3 the number of slots minus 1, r6 the
 * number of samples taken when the slot was claimed. mip.h has the limits on chips with two CPUs.
 */
#define STORE_SAMPLE \
	"movs r7, #0\n\t" \
	"str r7, [r5, #8]\n\t" \
	"str r1, [r5, #12]\n\t" \
	"str r0, [r5, #8]\n\t" \
	"ldr r1, [r2]\n\t" \
	"subs r1, r1, r6\n\t" \
	"cmp r1, r3\n\t" \
	"bls 6f\n\t" \
	"str r7, [r5, #8]\n"
#endif

__asm__(
	".pushsection .text.__bareprof_mip_sample, \"ax\", %progbits\n\t"
	".syntax unified\n\t"
	".balign 4\n\t"
	HIDDEN
	STATE
	FUNCTION("__bareprof_mip_sample")
	"push {r0, r1, r2, r3, r4, r5, r6, r7}\n\t"
	BEGIN
	"ldr r0, [sp, #32]\n\t" /* the entry */
	TAKE_ORDER
	"3:\tldr r1, [r0, #8]\n\t"
	"adds r1, r1, r0\n\t"
	"ldr r2, 11f\n\t"
	"muls r1, r2, r1\n\t"
	"lsrs r3, r1, #15\n\t"
	"eors r1, r1, r3\n\t"
	"muls r1, r2, r1\n\t"
	"ldr r2, 12f\n"
	"7:\t" ADD_PC
	"ldrb r2, [r2]\n\t"
	"lsrs r1, r1, r2\n\t" /* 0 to 2 N - 1 */
	"bne 1f\n\t"
	"movs r1, #1\n\t"
	"lsls r1, r1, #31\n\t"
	"lsrs r1, r1, r2\n" /* N instead of 0, so that the mean is N */
	"1:\t" LOAD("r2", "r0")
	"subs r2, r2, r1\n\t"
	STORE("r2", "r0")
	"adds r0, r0, #8\n"
	"1:\t" LOAD("r2", "r0")
	"adds r2, r2, r1\n\t"
	STORE("r2", "r0")
	"cmp r2, r1\n\t"
	"bhs 4f\n\t" /* no carry into the upper word */
	"adds r3, r0, #4\n"
	"1:\t" LOAD("r2", "r3")
	"adds r2, r2, #1\n\t"
	STORE("r2", "r3")
	"4:\tldr r2, 13f\n"
	"5:\t" ADD_PC
	"subs r0, r0, r2\n\t"
	"subs r0, r0, #7\n\t" /* the offset of the entry, plus 1 */
	"ldr r1, [sp, #36]\n\t" /* the return address of the function that was called */
	"lsrs r1, r1, #1\n\t"
	"lsls r1, r1, #1\n\t" /* without the Thumb bit */
	"subs r1, r1, r2\n\t"
	"ldr r2, 14f\n"
	"15:\t" ADD_PC
	"ldr r3, 17f\n"
	"16:\t" ADD_PC_R3
	"subs r3, r3, r2\n\t"
	"lsrs r3, r3, #3\n\t"
	"subs r3, r3, #2\n\t" /* number of slots, minus 1 */
	"blo 6f\n" /* no ring */
	"1:\t" LOAD("r5", "r2")
	"adds r6, r5, #1\n\t"
	STORE("r6", "r2")
	"ands r5, r5, r3\n\t"
	"lsls r5, r5, #3\n\t"
	"adds r5, r5, r2\n\t"
	STORE_SAMPLE
	"6:\t" END
	"pop {r0, r1, r2, r3, r4, r5, r6, r7}\n\t"
	"bx lr\n\t"
	".balign 4\n"
	"9:\t" DISTANCE(GLOBAL_STATE " + 8", "8b")
	"11:\t.4byte 0x9e3779b1\n"
	"12:\t" DISTANCE(BAREPROF_MIP_PERIOD, "7b")
	"13:\t" DISTANCE(CALLS_START, "5b")
	"14:\t" DISTANCE(RING_START, "15b")
	"17:\t" DISTANCE(RING_STOP, "16b")
	".size __bareprof_mip_sample, . - __bareprof_mip_sample\n\t"
	".popsection");

#endif
/* clang-format on */
