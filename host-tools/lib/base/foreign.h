/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign.h - recognises files that users often give by mistake instead of a profile or a log.
 */
#ifndef BAREPROF_HOST_FOREIGN_H
#define BAREPROF_HOST_FOREIGN_H

#include "bytes.h"
#include "error.h"

/*
 * foreign_refuse - recognises files without counters. If @bytes, a whole file, have a known
 * format, @error names that format and the command to use. Call it only for bytes in which no
 * profile and no dump was found, because the first bytes of a dump may look like any format.
 * Returns OK if the format is not known. Errors: INVALID_INPUT.
 */
enum status foreign_refuse(struct bytes bytes, struct error *error);

#endif
