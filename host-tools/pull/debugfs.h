/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugfs.h - the backend for the Linux port (ports/linux/) on the same machine. The port
 * makes a folder in debugfs for each image, which is the kernel or a module.
 */
#ifndef BAREPROF_HOST_DEBUGFS_H
#define BAREPROF_HOST_DEBUGFS_H

#include "backend.h"

extern const struct backend backend_debugfs;

#endif
