/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * docs_kernel.h - what the program of README.md expects of the kernel that it
 * is part of; included before it by tests/docs/examples/test.sh.
 */
#ifndef DOCS_KERNEL_H
#define DOCS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

void console_write(const void *data, size_t n);
uint64_t cycle_counter(void);

/* Its own. */
int dump_profile(void);

#endif
