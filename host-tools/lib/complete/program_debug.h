/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program_debug.h - the records of a program that are in its debug information.
 */
#ifndef BAREPROF_HOST_PROGRAM_DEBUG_H
#define BAREPROF_HOST_PROGRAM_DEBUG_H

#include "image.h"
#include "record_table.h"

/*
 * program_debug - fill @table from the debug information of @image, the ELF file
 * at @path whose counters begin at the address @counters. Errors, in
 * table->error: INVALID_INPUT.
 */
enum status program_debug(struct record_table *table, const struct image *image, uint64_t counters, const char *path);

#endif
