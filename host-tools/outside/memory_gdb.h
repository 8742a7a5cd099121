/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_gdb.h - memory through a stub of gdb's remote serial protocol: QEMU, OpenOCD, J-Link and pyOCD, Xen's stub,
 * kgdb.
 */
#ifndef BAREPROF_HOST_MEMORY_GDB_H
#define BAREPROF_HOST_MEMORY_GDB_H

#include "memory.h"

extern const struct memory_source memory_gdb;

#endif
