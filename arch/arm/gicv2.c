/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gicv2.c - driver of Arm's generic interrupt controller, version 2.
 */
#include "gicv2.h"

/* Registers of the distributor: offsets in bytes. */
#define DISTRIBUTOR_CONTROL 0x000
#define GROUPS              0x080 /* registers with one bit for each interrupt */
#define ENABLE              0x100 /* registers with one bit for each interrupt */
#define PRIORITIES          0x400 /* registers with one byte for each interrupt */
#define TARGETS             0x800 /* registers with one byte for each interrupt */
#define RAISE               0xf00
#define RAISE_ON_OTHERS     0x1000000u
#define BOTH_GROUPS         0x3u
#define INTERRUPTS          96u /* the boards use only these */

/* Registers of the CPU interface: offsets in bytes. */
#define CPU_CONTROL   0x00
#define PRIORITY_MASK 0x04
#define ACKNOWLEDGE   0x0c
#define END           0x10

#define ACKNOWLEDGE_BOTH 0x4u /* in CPU_CONTROL: one register acknowledges both groups */
#define GROUP_0_IS_FIQ   0x8u

#define LOWEST    0xffu
#define MIDDLE    0x80u
#define FIRST_CPU 0x01u

static volatile uint32_t *reg(uintptr_t base, uint32_t offset)
{
	return (volatile uint32_t *)(base + offset);
}

void gicv2_init(uintptr_t distributor, uintptr_t cpu)
{
	*reg(distributor, DISTRIBUTOR_CONTROL) = 1;
	*reg(cpu, PRIORITY_MASK) = LOWEST;
	*reg(cpu, CPU_CONTROL) = 1;
}

void gicv2_enable(uintptr_t distributor, uint32_t interrupt)
{
	*(volatile uint8_t *)(distributor + TARGETS + interrupt) = FIRST_CPU;
	*reg(distributor, ENABLE + interrupt / 32 * 4) = 1u << interrupt % 32;
}

uint32_t gicv2_take(uintptr_t cpu)
{
	return *reg(cpu, ACKNOWLEDGE);
}

void gicv2_end(uintptr_t cpu, uint32_t taken)
{
	*reg(cpu, END) = taken;
}

void gicv2_split(uintptr_t distributor, uintptr_t cpu, uint32_t fast)
{
	uint32_t i;

	/* The registers of the first 32 interrupts exist once for each CPU. Every CPU writes the same to all others. */
	*reg(distributor, GROUPS) = ~fast;
	for (i = 32; i < INTERRUPTS; i += 32)
		*reg(distributor, GROUPS + i / 8) = UINT32_MAX;
	for (i = 0; i < INTERRUPTS; i++)
		*(volatile uint8_t *)(distributor + PRIORITIES + i) = i < 32 && (fast >> i & 1) ? 0 : MIDDLE;
	*reg(distributor, ENABLE) = fast;
	*reg(distributor, DISTRIBUTOR_CONTROL) = BOTH_GROUPS;
	*reg(cpu, PRIORITY_MASK) = LOWEST;
	*reg(cpu, CPU_CONTROL) = BOTH_GROUPS | ACKNOWLEDGE_BOTH | GROUP_0_IS_FIQ;
}

void gicv2_raise(uintptr_t distributor, uint32_t interrupt)
{
	*reg(distributor, RAISE) = RAISE_ON_OTHERS | interrupt;
}
