/* SPDX-License-Identifier: BSD-2-Clause */
/* vmlinux.h - internal to the Linux port: symbols that the kernel's linker script defines. */
#ifndef BAREPROF_VMLINUX_H
#define BAREPROF_VMLINUX_H

extern const char __start_notes[];
extern const char __stop_notes[];

#endif
