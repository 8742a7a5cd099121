/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapped.h - maps one large input instead of reading it. For one profile of 11 MB, this saves a sixth of the time of a
 * merge.
 *
 * Mapping is done in the program and not in the library, because it needs a signal handler. If another program
 * truncates the file while it is mapped, reading the lost part raises SIGBUS, and a process has only one handler for
 * SIGBUS. The handler lets the lost part read as zeros, and mapped_whole() reports the truncation.
 */
#ifndef BAREPROF_HOST_MAPPED_H
#define BAREPROF_HOST_MAPPED_H

#include "bytes.h"
#include "error.h"

/*
 * mapped_raw - maps the file at @path if it is a large regular file and a raw profile, and sets *@bytes to its
 * contents. Returns false if the file is not mapped. Then the caller reads the file in another way, and reports any
 * error of this reading. The caller may change the mapped bytes, but this does not change the file. Other programs may
 * write to the file while it is mapped, so a byte may have two values in two reads. Only raw profiles are mapped,
 * because their reader is the only reader that never relies on reading the same value twice. At most one file can be
 * mapped at a time.
 */
bool mapped_raw(const char *path, struct bytes *bytes);

/*
 * mapped_whole - returns OK if no program has changed the mapped file since it was mapped,
 * or if no file is mapped. Errors: SYSTEM.
 */
enum status mapped_whole(struct error *error);

/* mapped_end - unmaps the file, if one is mapped. */
void mapped_end(void);

#endif
