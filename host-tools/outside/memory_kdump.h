/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_kdump.h - memory in kernel dumps: those that makedumpfile, diskdump and QEMU (dump-guest-memory -z, -l and -s)
 * write, compressed or not, with or without all pages, flattened or not.
 */
#ifndef BAREPROF_HOST_MEMORY_KDUMP_H
#define BAREPROF_HOST_MEMORY_KDUMP_H

#include "memory.h"

extern const struct memory_source memory_kdump;

#endif
