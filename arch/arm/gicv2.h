/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gicv2.h - Arm's generic interrupt controller, version 2, for one CPU.
 * @distributor and @cpu are the addresses of its two sets of registers.
 */
#ifndef ARCH_ARM_GICV2_H
#define ARCH_ARM_GICV2_H

#include <bareprof/platform.h>

#define GICV2_PRIVATE(n) (16u + (n))
#define GICV2_SHARED(n)  (32u + (n))
#define GICV2_NONE       1020u /* this and above: no interrupt */

/* Nothing enabled, everything let through. */
void gicv2_init(uintptr_t distributor, uintptr_t cpu);

/* Let this interrupt come, to the first CPU. */
void gicv2_enable(uintptr_t distributor, uint32_t interrupt);

/* Which interrupt came; give the same back at the end, unless it is none. */
uint32_t gicv2_take(uintptr_t cpu);
void gicv2_end(uintptr_t cpu, uint32_t taken);

/* The interrupt's number, without the CPU that sent it. */
static inline uint32_t gicv2_number(uint32_t taken)
{
	return taken & 0x3ff;
}

#endif
