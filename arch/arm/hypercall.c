/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall.c - the instructions that make a hypercall: hvc, and smc for a hypervisor that traps smc. In the ABI of
 * bareprof, a call changes only the first four registers. But an smc may pass through firmware, which may also change
 * r12 on Armv7-A, and x6 to x17 on AArch64. So MAY_CHANGE lists these registers too.
 */
#include <bareprof/hypercall_client.h>

#ifdef __aarch64__
#define HVC         "hvc #0"
#define SMC         "smc #0"
#define REGISTER(n) "x" #n
#define MAY_CHANGE  "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "memory"
#elif defined(__thumb__)
/* These are encodings, because some assemblers know the instructions only with an option. */
#define HVC         ".inst.w 0xf7e08000"
#define SMC         ".inst.w 0xf7f08000"
#define REGISTER(n) "r" #n
#define MAY_CHANGE  "r12", "memory"
#else
#define HVC         ".inst 0xe1400070"
#define SMC         ".inst 0xe1600070"
#define REGISTER(n) "r" #n
#define MAY_CHANGE  "r12", "memory"
#endif

#define CALL(instruction)                                                                                              \
	do {                                                                                                           \
		register uintptr_t r0 __asm__(REGISTER(0)) = reg[0];                                                   \
		register uintptr_t r1 __asm__(REGISTER(1)) = reg[1];                                                   \
		register uintptr_t r2 __asm__(REGISTER(2)) = reg[2];                                                   \
		register uintptr_t r3 __asm__(REGISTER(3)) = reg[3];                                                   \
		register uintptr_t r4 __asm__(REGISTER(4)) = reg[4];                                                   \
		register uintptr_t r5 __asm__(REGISTER(5)) = reg[5];                                                   \
                                                                                                                       \
		__asm__ volatile(instruction                                                                           \
				 : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3), "+r"(r4), "+r"(r5)                          \
				 :                                                                                     \
				 : MAY_CHANGE);                                                                        \
		reg[0] = r0;                                                                                           \
		reg[1] = r1;                                                                                           \
		reg[2] = r2;                                                                                           \
		reg[3] = r3;                                                                                           \
	} while (0)

void BAREPROF_CALLBACK bareprof_call_hvc(void *context, uintptr_t reg[6])
{
	(void)context;
	CALL(HVC);
}

void BAREPROF_CALLBACK bareprof_call_smc(void *context, uintptr_t reg[6])
{
	(void)context;
	CALL(SMC);
}
