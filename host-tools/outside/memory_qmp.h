/* SPDX-License-Identifier: BSD-2-Clause */
/* memory_qmp.h - memory through QMP, the monitor of QEMU for programs. QEMU must run on this machine. */
#ifndef BAREPROF_HOST_MEMORY_QMP_H
#define BAREPROF_HOST_MEMORY_QMP_H

#include "memory.h"

extern const struct memory_source memory_qmp;

#endif
