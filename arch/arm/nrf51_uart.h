/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nrf51_uart.h - the serial port of Nordic's nRF51 at 115200 baud, polled. @base
 * is the address of its registers.
 */
#ifndef ARCH_ARM_NRF51_UART_H
#define ARCH_ARM_NRF51_UART_H

#include <bareprof/platform.h>

/* The numbers of the pins it shall use. Interrupt when a byte has come. */
void nrf51_uart_init(uintptr_t base, uint32_t send, uint32_t receive);

/* Send one byte and wait until it is out. */
void nrf51_uart_put(uintptr_t base, uint8_t byte);

/* Take one byte, or -1 if none has come. */
int nrf51_uart_get(uintptr_t base);

/* In the handler: no more interrupts until nrf51_uart_get(). */
void nrf51_uart_quiet(uintptr_t base);

#endif
