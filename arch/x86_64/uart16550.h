/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uart16550.h - the PC's serial port, polled. @port is its first I/O port.
 */
#ifndef ARCH_X86_64_UART16550_H
#define ARCH_X86_64_UART16550_H

#include <bareprof/platform.h>

#define UART16550_COM1 0x3f8u

/* 115200 baud, 8N1; interrupt when a byte has come. */
void uart16550_init(uint16_t port);

/* Wait for room, then send one byte. */
void uart16550_put(uint16_t port, uint8_t byte);

/* Take one byte, or -1 if none has come. */
int uart16550_get(uint16_t port);

#endif
