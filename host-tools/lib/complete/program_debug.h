/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program_debug.h - reads the records of a program from its debug information.
 */
#ifndef BAREPROF_HOST_PROGRAM_DEBUG_H
#define BAREPROF_HOST_PROGRAM_DEBUG_H

#include "image.h"
#include "record_table.h"

/*
 * program_debug - fills @table with the records in the debug information of @image. @path is the
 * path of the image's ELF file. @counters is the address of the image's section of counters. Stores
 * the text of an error in table->error. Errors: INVALID_INPUT.
 */
enum status program_debug(struct record_table *table, const struct image *image, uint64_t counters, const char *path);

#endif
