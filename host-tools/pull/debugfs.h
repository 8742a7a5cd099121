/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugfs.h - what the Linux port (ports/linux/) has in debugfs, from the same
 * machine: a folder for each image, the kernel and its modules.
 */
#ifndef BAREPROF_HOST_DEBUGFS_H
#define BAREPROF_HOST_DEBUGFS_H

#include "backend.h"

extern const struct backend backend_debugfs;

#endif
