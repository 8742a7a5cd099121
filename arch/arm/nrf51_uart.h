/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nrf51_uart.h - driver of the serial port in Nordic's nRF51 at 115200 baud, polled. @base
 * is the address of the port's registers.
 */
#ifndef ARCH_ARM_NRF51_UART_H
#define ARCH_ARM_NRF51_UART_H

#include <bareprof/platform.h>

/* Starts the port on the pins with these numbers, with an interrupt for each byte that arrives. */
void nrf51_uart_init(uintptr_t base, uint32_t send, uint32_t receive);

/* Sends @byte and waits until it is sent. */
void nrf51_uart_put(uintptr_t base, uint8_t byte);

/* Returns the byte that has arrived, or -1 if no byte has arrived. */
int nrf51_uart_get(uintptr_t base);

/* Disables the interrupt until the next nrf51_uart_get(). The interrupt handler calls this function. */
void nrf51_uart_quiet(uintptr_t base);

#endif
