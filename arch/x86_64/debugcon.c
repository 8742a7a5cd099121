/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugcon.c - sends bytes and an exit status through the debug ports of QEMU.
 */
#include "debugcon.h"
#include "port.h"

#define DEBUGCON_PORT    0xe9
#define DEBUGCON_PRESENT 0xe9 /* if the device exists, a read of the port returns this value */
#define EXIT_PORT        0x501

int debugcon_write(const void *data, size_t n)
{
	if (port_read(DEBUGCON_PORT) != DEBUGCON_PRESENT)
		return -1;
	port_write_bytes(DEBUGCON_PORT, data, n);
	return 0;
}

void debug_exit(uint8_t status)
{
	port_write(EXIT_PORT, status);
}
