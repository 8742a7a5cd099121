/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - AArch64 at EL2: the few registers that the hypervisor's C code needs.
 */
#ifndef CPU_H
#define CPU_H

#include <stdint.h>

#define CPU_NAME       "AArch64, EL2"
#define CPU_CONSOLE    0x09000000u
#define CPU_HYPERVISOR 0x40080000u
#define CPU_REGISTERS  31u /* that are in memory when the guest is left */
#define CPU_CALL       0x16u /* the class of syndrome of hvc */

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

/* Have the guest go on behind an instruction of @n bytes. */
static inline void cpu_skip(unsigned int n)
{
	__asm__ volatile("msr elr_el2, %0" : : "r"(cpu_return() + n));
}

/* The guest's addresses have 32 bits, from level 1 on, by @table, cached and shared. */
#define VTCR 0x80003560u
/* The guest is 64-bit, its addresses are translated, and its calls of the firmware trapped. */
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
