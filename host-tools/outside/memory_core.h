/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_core.h - memory in files: ELF cores of QEMU (dump-guest-memory), virsh, gcore and kdump (/proc/vmcore), the
 * running Linux kernel (/proc/kcore), and plain copies of a range of memory.
 */
#ifndef BAREPROF_HOST_MEMORY_CORE_H
#define BAREPROF_HOST_MEMORY_CORE_H

#include "memory.h"

extern const struct memory_source memory_core;
extern const struct memory_source memory_proc;
extern const struct memory_source memory_ram;

#endif
