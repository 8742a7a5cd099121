/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flat_dump.h - flattened kernel dumps. makedumpfile -F and QEMU write a dump to a pipe as a list of pieces, each with
 * its offset in the dump. Only after the pieces are put together, the dump can be read at any offset.
 */
#ifndef BAREPROF_HOST_FLAT_DUMP_H
#define BAREPROF_HOST_FLAT_DUMP_H

#include "error.h"

#include <stdbool.h>

/* flat_dump_is - returns whether the file @fd is a flattened dump. Reads from its beginning, and keeps its position. */
bool flat_dump_is(int fd);

/*
 * flat_dump_unite - puts the pieces of @fd together, into a sparse file in the folder for temporary files. The file has no
 * name, so it goes away with its descriptor *@united, which the caller closes. The file needs about as much room on the
 * disk as @fd. *@united is -1 after an error. Errors: INVALID_INPUT (the file is cut off, or a piece lies about its place),
 * SYSTEM (the disk is full, or a signal was caught).
 */
enum status flat_dump_unite(int fd, int *united, struct error *error);

#endif
