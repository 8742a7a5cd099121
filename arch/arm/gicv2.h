/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gicv2.h - driver of Arm's generic interrupt controller, version 2, for one CPU. @distributor
 * and @cpu are the addresses of the controller's two sets of registers.
 */
#ifndef ARCH_ARM_GICV2_H
#define ARCH_ARM_GICV2_H

#include <bareprof/platform.h>

#define GICV2_PRIVATE(n) (16u + (n))
#define GICV2_SHARED(n)  (32u + (n))
#define GICV2_NONE       1020u /* a number of GICV2_NONE or higher is not an interrupt */

/* Starts the controller. All interrupts are disabled, and the mask lets every priority through. */
void gicv2_init(uintptr_t distributor, uintptr_t cpu);

/* Enables @interrupt and routes it to the first CPU. */
void gicv2_enable(uintptr_t distributor, uint32_t interrupt);

/*
 * gicv2_split() lets the calling CPU get the private interrupts @fast, a mask of the numbers 0 to 31, as FIQ, with the
 * highest priority, and enables them. It gets all other interrupts as IRQ. Each CPU that gets interrupts must call it, after
 * gicv2_init(). gicv2_take() and gicv2_end() are the same for both kinds. The controller must have no security extensions, or
 * the caller must be secure.
 *
 * gicv2_raise() raises the software-generated interrupt @interrupt, 0 to 15, on all other CPUs.
 */
void gicv2_split(uintptr_t distributor, uintptr_t cpu, uint32_t fast);
void gicv2_raise(uintptr_t distributor, uint32_t interrupt);

/*
 * gicv2_take() acknowledges the pending interrupt and returns a word that describes the interrupt.
 * If gicv2_number() of this word is below GICV2_NONE, handle the interrupt, and then pass the same
 * word to gicv2_end(). Otherwise there was no interrupt, so do not call gicv2_end().
 */
uint32_t gicv2_take(uintptr_t cpu);
void gicv2_end(uintptr_t cpu, uint32_t taken);

/* @taken is the word that gicv2_take() returned. Returns the number of the interrupt, without the bits for the CPU. */
static inline uint32_t gicv2_number(uint32_t taken)
{
	return taken & 0x3ff;
}

#endif
