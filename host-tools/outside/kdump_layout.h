/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kdump_layout.h - checks that a kernel dump is complete. libkdumpfile 0.5.1 reads zeros after the end of a file, so from
 * a dump that was cut off, it would read counters that are zero.
 */
#ifndef BAREPROF_HOST_KDUMP_LAYOUT_H
#define BAREPROF_HOST_KDUMP_LAYOUT_H

#include "error.h"

/*
 * kdump_check_layout - checks that the file @fd is a kernel dump of diskdump or makedumpfile, and that it has all parts of
 * which its headers tell: bitmaps, descriptors of pages, and pages. Errors: INVALID_INPUT, SYSTEM.
 */
enum status kdump_check_layout(int fd, struct error *error);

#endif
