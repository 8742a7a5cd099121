/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pl011.h - Arm's PL011 serial port and its kin, polled. @base is the address of
 * its registers.
 */
#ifndef ARCH_ARM_PL011_H
#define ARCH_ARM_PL011_H

#include <bareprof/platform.h>

/* @divisor is clock * 4 / baud rate, at least 64. Interrupt when a byte has come. */
void pl011_init(uintptr_t base, uint32_t divisor);

/* Wait for room, then send one byte. */
void pl011_put(uintptr_t base, uint8_t byte);

/* Take one byte, or -1 if none has come. */
int pl011_get(uintptr_t base);

/* In the handler: take back the interrupt, not the byte. */
void pl011_quiet(uintptr_t base);

#endif
