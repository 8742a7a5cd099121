/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.c - the functions of board.h that the hypervisor and its guest use, on a small PC.
 * The hypervisor and the guest use the same serial port, to which the hypervisor gives the guest
 * access.
 */
#include "board.h"
#include "cpu.h"
#include "port.h"
#include "uart16550.h"

#define DEBUG_EXIT 0x501u

const char board_name[] = CPU_NAME;

void board_init(void)
{
	uart16550_init(UART16550_COM1);
}

void board_putc(char c)
{
	uart16550_put(UART16550_COM1, (uint8_t)c);
}

uint64_t board_nonce(void)
{
	return __builtin_readcyclecounter();
}

void board_exit(int status)
{
	port_write(DEBUG_EXIT, (uint8_t)status);
	for (;;)
		continue;
}
