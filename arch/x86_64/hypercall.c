/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall.c - the instructions that make a hypercall: vmcall on CPUs of Intel, vmmcall on
 * CPUs of AMD.
 */
#include <bareprof/hypercall_client.h>

#define CALL(instruction)                                                                                              \
	do {                                                                                                           \
		register uintptr_t r10 __asm__("r10") = reg[4];                                                        \
		register uintptr_t r8 __asm__("r8") = reg[5];                                                          \
                                                                                                                       \
		__asm__ volatile(instruction                                                                           \
				 : "+a"(reg[0]), "+D"(reg[1]), "+S"(reg[2]), "+d"(reg[3]), "+r"(r10), "+r"(r8)         \
				 :                                                                                     \
				 : "memory");                                                                          \
	} while (0)

void BAREPROF_CALLBACK bareprof_call_vmcall(void *context, uintptr_t reg[6])
{
	(void)context;
	CALL("vmcall");
}

void BAREPROF_CALLBACK bareprof_call_vmmcall(void *context, uintptr_t reg[6])
{
	(void)context;
	CALL("vmmcall");
}
