/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uart16550.c - driver of the PC's serial port, polled.
 */
#include "port.h"
#include "uart16550.h"

/* Registers: offsets from the first port. */
#define DATA             0
#define DIVISOR_LOW      0 /* the port has this register only while DIVISOR_ACCESS is set */
#define DIVISOR_HIGH     1
#define INTERRUPT_ENABLE 1
#define LINE_CONTROL     3
#define MODEM_CONTROL    4
#define LINE_STATUS      5

#define INTERRUPT_RECEIVED 0x01
#define LINE_8N1           0x03
#define DIVISOR_ACCESS     0x80
#define MODEM_READY        0x0b /* DTR, RTS and OUT2; OUT2 connects the interrupt line */
#define STATUS_RECEIVED    0x01
#define STATUS_ROOM        0x20

void uart16550_init(uint16_t port)
{
	port_write(port + LINE_CONTROL, DIVISOR_ACCESS | LINE_8N1);
	port_write(port + DIVISOR_LOW, 1);
	port_write(port + DIVISOR_HIGH, 0);
	port_write(port + LINE_CONTROL, LINE_8N1);
	/* This function does not switch the FIFO on, because that would lose a byte that has already arrived. */
	port_write(port + MODEM_CONTROL, MODEM_READY);
	port_write(port + INTERRUPT_ENABLE, INTERRUPT_RECEIVED);
}

void uart16550_put(uint16_t port, uint8_t byte)
{
	while (!(port_read(port + LINE_STATUS) & STATUS_ROOM))
		continue;
	port_write(port + DATA, byte);
}

int uart16550_get(uint16_t port)
{
	if (!(port_read(port + LINE_STATUS) & STATUS_RECEIVED))
		return -1;
	return port_read(port + DATA);
}
