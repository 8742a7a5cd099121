/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug_lines.h - prepares line tables for libdw.
 */
#ifndef BAREPROF_HOST_DEBUG_LINES_H
#define BAREPROF_HOST_DEBUG_LINES_H

#include "image.h"

/*
 * debug_lines_prepare - changes the line tables of @image in memory, so that libdw can read those of code with pseudo
 * probes. Clang stores the number and the type of a call's probe in the discriminator of the call. Such a number has
 * more than 24 bits, and then libdw refuses the whole table (elfutils 0.188). This function clears the higher bits. They
 * only matter while clang compiles: the section .pseudo_probe has the same facts. Call it before libdw. Tables that are
 * damaged stay as they are.
 */
void debug_lines_prepare(const struct image *image);

/* debug_lines_narrow - does the same for @content, the bytes of a section .debug_line. */
void debug_lines_narrow(uint8_t *content, size_t size, bool big);

#endif
