/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pl011.h - driver of Arm's PL011 serial port and compatible ports, polled. @base is the
 * address of the port's registers.
 */
#ifndef ARCH_ARM_PL011_H
#define ARCH_ARM_PL011_H

#include <bareprof/platform.h>

/* Starts the port, with an interrupt for each byte that arrives. @divisor is clock * 4 / baud rate, at least 64. */
void pl011_init(uintptr_t base, uint32_t divisor);

/* Waits until the port can take a byte, then sends @byte. */
void pl011_put(uintptr_t base, uint8_t byte);

/* Returns the byte that has arrived, or -1 if no byte has arrived. */
int pl011_get(uintptr_t base);

/* Clears the interrupt but leaves the byte in the port. The interrupt handler calls this function. */
void pl011_quiet(uintptr_t base);

#endif
