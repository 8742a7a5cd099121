/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gicv2.c - driver of Arm's generic interrupt controller, version 2, for one CPU.
 */
#include "gicv2.h"

/* Registers of the distributor: offsets in bytes. */
#define DISTRIBUTOR_CONTROL 0x000
#define ENABLE              0x100 /* registers with one bit for each interrupt */
#define TARGETS             0x800 /* registers with one byte for each interrupt */

/* Registers of the CPU interface: offsets in bytes. */
#define CPU_CONTROL   0x00
#define PRIORITY_MASK 0x04
#define ACKNOWLEDGE   0x0c
#define END           0x10

#define LOWEST    0xffu
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
