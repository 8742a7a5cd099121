/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pl011.c - driver of Arm's PL011 serial port and compatible ports, polled. The FIFOs stay
 * off, so that every byte that arrives raises an interrupt.
 */
#include "pl011.h"

struct registers {
	volatile uint32_t data;
	volatile uint32_t errors;
	uint32_t unused[4];
	volatile uint32_t flags;
	uint32_t unused2[2];
	volatile uint32_t divisor;
	volatile uint32_t divisor_64ths;
	volatile uint32_t line;
	volatile uint32_t control;
	volatile uint32_t fifo_levels;
	volatile uint32_t interrupt_enable;
	volatile uint32_t interrupt_raw;
	volatile uint32_t interrupt_masked;
	volatile uint32_t interrupt_clear;
};

_Static_assert(offsetof(struct registers, interrupt_clear) == 0x44, "a register is missing");

#define FLAG_EMPTY         0x10u /* no byte was received */
#define FLAG_FULL          0x20u /* the port cannot take another byte to send */
#define LINE_8_BITS        0x60u
#define CONTROL_ENABLE     0x1u
#define CONTROL_SEND       0x100u
#define CONTROL_RECEIVE    0x200u
#define INTERRUPT_RECEIVED 0x10u

static struct registers *at(uintptr_t base)
{
	return (struct registers *)base;
}

void pl011_init(uintptr_t base, uint32_t divisor)
{
	at(base)->control = 0;
	at(base)->divisor = divisor >> 6;
	at(base)->divisor_64ths = divisor & 63;
	/* The divisor takes effect only after this write. */
	at(base)->line = LINE_8_BITS;
	at(base)->interrupt_enable = INTERRUPT_RECEIVED;
	at(base)->control = CONTROL_ENABLE | CONTROL_SEND | CONTROL_RECEIVE;
}

void pl011_put(uintptr_t base, uint8_t byte)
{
	while (at(base)->flags & FLAG_FULL)
		continue;
	at(base)->data = byte;
}

int pl011_get(uintptr_t base)
{
	if (at(base)->flags & FLAG_EMPTY)
		return -1;
	return (int)(at(base)->data & 0xff);
}

void pl011_quiet(uintptr_t base)
{
	at(base)->interrupt_clear = INTERRUPT_RECEIVED;
}
