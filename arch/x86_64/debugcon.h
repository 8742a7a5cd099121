/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugcon.h - the debug ports that QEMU, Bochs and others have: bytes out, and
 * an end with a status. They work before and after everything else does.
 */
#ifndef ARCH_X86_64_DEBUGCON_H
#define ARCH_X86_64_DEBUGCON_H

#include <bareprof/platform.h>

/* Send @n bytes to `-device isa-debugcon`; -1 if there is no such device. */
int debugcon_write(const void *data, size_t n);

/*
 * End the machine by `-device isa-debug-exit,iobase=0x501,iosize=1`: QEMU's own
 * exit status is then 2 * @status + 1. Returns if there is no such device.
 */
void debug_exit(uint8_t status);

#endif
