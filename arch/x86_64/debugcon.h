/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugcon.h - the debug ports of QEMU, Bochs and other emulators. One port takes bytes, another
 * port ends the machine with a status. The ports need no setup, so they work at any time.
 */
#ifndef ARCH_X86_64_DEBUGCON_H
#define ARCH_X86_64_DEBUGCON_H

#include <bareprof/platform.h>

/* Sends @n bytes to `-device isa-debugcon`. Returns 0, or -1 if there is no such device. */
int debugcon_write(const void *data, size_t n);

/*
 * Ends the machine through `-device isa-debug-exit,iobase=0x501,iosize=1`. QEMU then exits
 * with status 2 * @status + 1. This function returns only if there is no such device.
 */
void debug_exit(uint8_t status);

#endif
