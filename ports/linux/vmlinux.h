/* SPDX-License-Identifier: BSD-2-Clause */
/* vmlinux.h - within the Linux port: what the kernel's linker script bounds. */
#ifndef BAREPROF_VMLINUX_H
#define BAREPROF_VMLINUX_H

extern const char __start_notes[];
extern const char __stop_notes[];

#endif
