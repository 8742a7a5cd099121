/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign.h - recognises files that users often give by mistake instead of a profile or a log.
 */
#ifndef BAREPROF_HOST_FOREIGN_H
#define BAREPROF_HOST_FOREIGN_H

#include "bytes.h"
#include "error.h"

/*
 * foreign_refuse - recognises files without counters. @bytes are a whole file. If the file has a known format, returns
 * an error that names the format and the command to use. If the format is not known, returns OK. Call this function
 * only if @bytes contain no profile and no dump, because the first bytes of a dump may look like any format. Errors:
 * INVALID_INPUT.
 */
enum status foreign_refuse(struct bytes bytes, struct error *error);

/*
 * foreign_firmware - returns "an Intel HEX file" or "an S-record file" if @bytes start with such a record, otherwise NULL.
 */
const char *foreign_firmware(struct bytes bytes);

#endif
