/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.c - the functions of board.h that the hypervisor and its guest use, on QEMU's
 * `virt` machine. The hypervisor and the guest use the same serial port, to which the hypervisor
 * gives the guest access.
 */
#include "board.h"
#include "cpu.h"
#include "pl011.h"

#include <bareprof/semihosting.h>

#define UART_CLOCK 24000000u
#define BAUD       115200u

const char board_name[] = CPU_NAME;

void board_init(void)
{
	pl011_init(CPU_CONSOLE, UART_CLOCK * 4 / BAUD);
}

void board_putc(char c)
{
	pl011_put(CPU_CONSOLE, (uint8_t)c);
}

uint64_t board_nonce(void)
{
	return (uint32_t)bareprof_semihosting_call(BAREPROF_SEMIHOSTING_TIME, NULL);
}

void board_exit(int status)
{
	bareprof_semihosting_exit(status);
	for (;;)
		continue;
}
