/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pl011.c - Arm's PL011 serial port, polled.
 */
#include "pl011.h"

#define DATA            0x00
#define FLAGS           0x18
#define DIVISOR         0x24
#define DIVISOR_64THS   0x28
#define LINE            0x2c
#define CONTROL         0x30
#define INTERRUPT_MASK  0x38
#define INTERRUPT_CLEAR 0x44

#define FLAG_EMPTY         0x10u /* nothing received */
#define FLAG_FULL          0x20u /* for sending */
#define LINE_8_BITS        0x60u
#define LINE_FIFO          0x10u
#define CONTROL_ENABLE     0x001u
#define CONTROL_SEND       0x100u
#define CONTROL_RECEIVE    0x200u
#define INTERRUPT_RECEIVED 0x50u /* at the FIFO's mark, or less than that for a while */

static volatile uint32_t *reg(uintptr_t base, uint32_t offset)
{
	return (volatile uint32_t *)(base + offset);
}

void pl011_init(uintptr_t base, uint32_t divisor)
{
	*reg(base, CONTROL) = 0;
	*reg(base, DIVISOR) = divisor / 64;
	*reg(base, DIVISOR_64THS) = divisor % 64;
	/* The divisor takes effect with this write. */
	*reg(base, LINE) = LINE_8_BITS | LINE_FIFO;
	*reg(base, INTERRUPT_CLEAR) = INTERRUPT_RECEIVED;
	*reg(base, INTERRUPT_MASK) = INTERRUPT_RECEIVED;
	*reg(base, CONTROL) = CONTROL_ENABLE | CONTROL_SEND | CONTROL_RECEIVE;
}

void pl011_put(uintptr_t base, uint8_t byte)
{
	while (*reg(base, FLAGS) & FLAG_FULL)
		continue;
	*reg(base, DATA) = byte;
}

int pl011_get(uintptr_t base)
{
	if (*reg(base, FLAGS) & FLAG_EMPTY)
		return -1;
	return (int)(*reg(base, DATA) & 0xff);
}

void pl011_quiet(uintptr_t base)
{
	*reg(base, INTERRUPT_CLEAR) = INTERRUPT_RECEIVED;
}
