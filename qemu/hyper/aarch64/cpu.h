/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - AArch64 at EL2: the registers that the hypervisor's C code uses.
 */
#ifndef CPU_H
#define CPU_H

#include <stdint.h>

#define CPU_NAME         "AArch64, EL2"
#define CPU_CONSOLE      0x09000000u
#define CPU_HYPERVISOR   0x40080000u
#define CPU_REGISTERS    31u /* number of guest registers that entry.S saves in memory */
#define CPU_CALL         0x16u /* exception class of an hvc instruction */
#define CPU_TRAPPED_CALL 0x17u /* exception class of an smc instruction; the return address is the instruction itself */

#define CPU_READ(name)                                                                                                 \
	({                                                                                                             \
		uint64_t value;                                                                                        \
		__asm__ volatile("mrs %0, " name : "=r"(value));                                                       \
		value;                                                                                                 \
	})

static inline uint32_t cpu_syndrome(void)
{
	return (uint32_t)CPU_READ("esr_el2");
}

static inline uintptr_t cpu_return(void)
{
	return CPU_READ("elr_el2");
}

static inline uintptr_t cpu_address(void)
{
	return CPU_READ("far_el2");
}

/* Makes the guest continue after the current instruction, which has @n bytes. */
static inline void cpu_skip(unsigned int n)
{
	__asm__ volatile("msr elr_el2, %0" : : "r"(cpu_return() + n));
}

/* Guest addresses have 32 bits, and their translation starts at level 1. Table walks are cached and shared. */
#define VTCR 0x80003560u
/* The guest runs in 64-bit state, its addresses are translated, and its calls to the firmware are trapped. */
#define HCR 0x80080001u

static inline void cpu_translate(const uint64_t *table)
{
	__asm__ volatile("msr vtcr_el2, %0\n\tmsr vttbr_el2, %1\n\tmsr hcr_el2, %2\n\tisb\n\t"
			 "tlbi vmalls12e1\n\tdsb sy\n\tisb"
			 :
			 : "r"((uint64_t)VTCR), "r"(table), "r"((uint64_t)HCR)
			 : "memory");
}

#endif
