/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmsdk_uart.c - driver of the serial port in Arm's Cortex-M system design kit, polled.
 */
#include "cmsdk_uart.h"

struct registers {
	volatile uint32_t data;
	volatile uint32_t state;
	volatile uint32_t control;
	volatile uint32_t interrupt; /* writing 1 clears the interrupt */
	volatile uint32_t divisor;
};

#define STATE_FULL         0x1u /* the port cannot take another byte to send */
#define STATE_RECEIVED     0x2u
#define CONTROL_SEND       0x1u
#define CONTROL_RECEIVE    0x2u
#define CONTROL_INTERRUPT  0x8u /* raises an interrupt when a byte arrives */
#define INTERRUPT_RECEIVED 0x2u

static struct registers *at(uintptr_t base)
{
	return (struct registers *)base;
}

void cmsdk_uart_init(uintptr_t base, uint32_t divisor)
{
	at(base)->divisor = divisor;
	at(base)->control = CONTROL_SEND | CONTROL_RECEIVE | CONTROL_INTERRUPT;
	/* Reads and discards a byte that arrived earlier. Until this byte is read, QEMU delivers no more input. */
	(void)at(base)->data;
}

void cmsdk_uart_put(uintptr_t base, uint8_t byte)
{
	while (at(base)->state & STATE_FULL)
		continue;
	at(base)->data = byte;
}

int cmsdk_uart_get(uintptr_t base)
{
	if (!(at(base)->state & STATE_RECEIVED))
		return -1;
	return (int)(at(base)->data & 0xff);
}

void cmsdk_uart_quiet(uintptr_t base)
{
	at(base)->interrupt = INTERRUPT_RECEIVED;
}
