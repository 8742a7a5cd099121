/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gicv2.h - driver of Arm's generic interrupt controller, version 2, for one CPU.
 * @distributor and @cpu are the addresses of its two sets of registers.
 */
#ifndef ARCH_ARM_GICV2_H
#define ARCH_ARM_GICV2_H

#include <bareprof/platform.h>

#define GICV2_PRIVATE(n) (16u + (n))
#define GICV2_SHARED(n)  (32u + (n))
#define GICV2_NONE       1020u /* this number and higher ones: no interrupt */

/* Starts the controller with all interrupts disabled, and a mask that lets every priority through. */
void gicv2_init(uintptr_t distributor, uintptr_t cpu);

/* Enables this interrupt and routes it to the first CPU. */
void gicv2_enable(uintptr_t distributor, uint32_t interrupt);

/*
 * gicv2_take() acknowledges the pending interrupt and returns it. After handling it, pass the
 * same word to gicv2_end(), unless gicv2_number() of it is GICV2_NONE or higher.
 */
uint32_t gicv2_take(uintptr_t cpu);
void gicv2_end(uintptr_t cpu, uint32_t taken);

/* Returns the number of the interrupt, without the bits that name the sending CPU. */
static inline uint32_t gicv2_number(uint32_t taken)
{
	return taken & 0x3ff;
}

#endif
