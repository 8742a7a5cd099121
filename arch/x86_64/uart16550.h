/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uart16550.h - driver of the PC's serial port, polled. @port is the number of the
 * first I/O port that the serial port uses.
 */
#ifndef ARCH_X86_64_UART16550_H
#define ARCH_X86_64_UART16550_H

#include <bareprof/platform.h>

#define UART16550_COM1 0x3f8u

/* Starts the port with 115200 baud, 8N1, and an interrupt for each byte that arrives. */
void uart16550_init(uint16_t port);

/* Waits until the port can take a byte, then sends @byte. */
void uart16550_put(uint16_t port, uint8_t byte);

/* Returns the byte that has arrived, or -1 if no byte has arrived. */
int uart16550_get(uint16_t port);

#endif
