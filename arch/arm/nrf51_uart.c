/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nrf51_uart.c - driver of the serial port in Nordic's nRF51, polled. The port's interrupt stays
 * pending until the event of a received byte is cleared. So the handler disables the interrupt
 * until nrf51_uart_get() has cleared the event.
 */
#include "nrf51_uart.h"

enum {
	TASK_START_RECEIVE = 0x000,
	TASK_START_SEND = 0x008,
	EVENT_RECEIVED = 0x108,
	EVENT_SENT = 0x11c,
	INTERRUPT_SET = 0x304,
	INTERRUPT_CLEAR = 0x308,
	ENABLE = 0x500,
	PIN_SEND = 0x50c,
	PIN_RECEIVE = 0x514,
	RECEIVED = 0x518,
	SEND = 0x51c,
	BAUD = 0x524,
};

#define ON                 4u
#define BAUD_115200        0x01d7e000u
#define INTERRUPT_RECEIVED 0x4u

static volatile uint32_t *at(uintptr_t base, uintptr_t offset)
{
	return (volatile uint32_t *)(base + offset);
}

void nrf51_uart_init(uintptr_t base, uint32_t send, uint32_t receive)
{
	*at(base, PIN_SEND) = send;
	*at(base, PIN_RECEIVE) = receive;
	*at(base, BAUD) = BAUD_115200;
	*at(base, ENABLE) = ON;
	*at(base, EVENT_RECEIVED) = 0;
	*at(base, INTERRUPT_SET) = INTERRUPT_RECEIVED;
	*at(base, TASK_START_SEND) = 1;
	*at(base, TASK_START_RECEIVE) = 1;
}

void nrf51_uart_put(uintptr_t base, uint8_t byte)
{
	*at(base, EVENT_SENT) = 0;
	*at(base, SEND) = byte;
	while (!*at(base, EVENT_SENT))
		continue;
}

int nrf51_uart_get(uintptr_t base)
{
	int byte = -1;

	if (*at(base, EVENT_RECEIVED)) {
		/* Clears the event before the read, because the read raises the event again if there are more bytes. */
		*at(base, EVENT_RECEIVED) = 0;
		byte = (int)(*at(base, RECEIVED) & 0xff);
	}
	/*
	 * Enables the interrupt even if there was no byte. The interrupt handler may have run late,
	 * after this function had already read the byte, and may then have disabled the interrupt.
	 */
	*at(base, INTERRUPT_SET) = INTERRUPT_RECEIVED;
	return byte;
}

void nrf51_uart_quiet(uintptr_t base)
{
	*at(base, INTERRUPT_CLEAR) = INTERRUPT_RECEIVED;
}
