/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmsdk_uart.h - the serial port of Arm's Cortex-M system design kit, polled.
 * @base is the address of its registers.
 */
#ifndef ARCH_ARM_CMSDK_UART_H
#define ARCH_ARM_CMSDK_UART_H

#include <bareprof/platform.h>

/* @divisor is clock / baud rate, at least 16. Interrupt when a byte has come. */
void cmsdk_uart_init(uintptr_t base, uint32_t divisor);

/* Wait for room, then send one byte. */
void cmsdk_uart_put(uintptr_t base, uint8_t byte);

/* Take one byte, or -1 if none has come. */
int cmsdk_uart_get(uintptr_t base);

/* In the handler: take back the interrupt, not the byte. */
void cmsdk_uart_quiet(uintptr_t base);

#endif
