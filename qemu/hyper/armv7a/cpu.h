/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - Armv7-A in Hyp mode: the registers that the hypervisor's C code uses.
 */
#ifndef CPU_H
#define CPU_H

#include <stdint.h>

#define CPU_NAME         "Armv7-A, Hyp mode"
#define CPU_CONSOLE      0x09000000u
#define CPU_HYPERVISOR   0x40080000u
#define CPU_REGISTERS    13u /* number of guest registers (r0 to r12) that entry.S saves in memory */
#define CPU_CALL         0x12u /* exception class of an hvc instruction */
#define CPU_TRAPPED_CALL 0x13u /* exception class of an smc instruction; the return address is the instruction itself */

/* Reads a register of the system control coprocessor. */
#define CPU_READ(register)                                                                                             \
	({                                                                                                             \
		uint32_t value;                                                                                        \
		__asm__ volatile("mrc p15, " register : "=r"(value));                                                  \
		value;                                                                                                 \
	})

static inline uint32_t cpu_syndrome(void)
{
	return CPU_READ("4, %0, c5, c2, 0");
}

static inline uintptr_t cpu_return(void)
{
	uint32_t value;

	__asm__ volatile("mrs %0, elr_hyp" : "=r"(value));
	return value;
}

static inline uintptr_t cpu_address(void)
{
	return CPU_READ("4, %0, c6, c0, 0");
}

/* Makes the guest continue after the current instruction, which has @n bytes. */
static inline void cpu_skip(unsigned int n)
{
	__asm__ volatile("msr elr_hyp, %0" : : "r"(cpu_return() + n));
}

/* Guest addresses have 32 bits, and their translation starts at level 1. Table walks are cached and shared. */
#define VTCR 0x80003540u
/* The guest's addresses are translated, and its calls to the firmware are trapped. */
#define HCR 0x00080001u

static inline void cpu_translate(const uint64_t *table)
{
	__asm__ volatile("mcr p15, 4, %0, c2, c1, 2\n\tmcrr p15, 6, %1, %2, c2\n\tmcr p15, 4, %3, c1, c1, 0\n\tisb\n\t"
			 "mcr p15, 4, %2, c8, c7, 4\n\tdsb sy\n\tisb"
			 :
			 : "r"(VTCR), "r"(table), "r"(0), "r"(HCR)
			 : "memory");
}

#endif
