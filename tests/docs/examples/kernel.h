/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.h - the functions that the example in README.md expects from its kernel.
 * tests/docs/examples/test.sh includes this header before the example.
 */
#ifndef DOCS_KERNEL_H
#define DOCS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

void console_write(const void *data, size_t n);
uint64_t cycle_counter(void);

/* The example defines this function. */
int dump_profile(void);

#endif
