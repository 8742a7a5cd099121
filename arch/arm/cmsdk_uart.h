/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmsdk_uart.h - driver of the serial port in Arm's Cortex-M system design kit,
 * polled. @base is the address of the port's registers.
 */
#ifndef ARCH_ARM_CMSDK_UART_H
#define ARCH_ARM_CMSDK_UART_H

#include <bareprof/platform.h>

/* Starts the port, with an interrupt for each byte that arrives. @divisor is clock / baud rate, at least 16. */
void cmsdk_uart_init(uintptr_t base, uint32_t divisor);

/* Waits until the port can take a byte, then sends @byte. */
void cmsdk_uart_put(uintptr_t base, uint8_t byte);

/* Returns the byte that has arrived, or -1 if no byte has arrived. */
int cmsdk_uart_get(uintptr_t base);

/* Clears the interrupt but leaves the byte in the port. The interrupt handler calls this function. */
void cmsdk_uart_quiet(uintptr_t base);

#endif
