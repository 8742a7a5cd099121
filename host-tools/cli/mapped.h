/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapped.h - maps one large input instead of reading it. For one profile of 11 MB, this saves a sixth of the time of a
 * merge.
 *
 * The library does not map files, because mapping needs a handler for SIGBUS. A process has only one handler for
 * SIGBUS, and the library must not take it from the program that uses the library. If another program truncates the
 * file while it is mapped, reading the lost part raises SIGBUS. The handler replaces the lost part by zeros, and
 * mapped_whole() reports the truncation.
 */
#ifndef BAREPROF_HOST_MAPPED_H
#define BAREPROF_HOST_MAPPED_H

#include "bytes.h"
#include "error.h"

/*
 * mapped_raw - maps the file at @path if it is a large regular file and a raw profile, and sets *@bytes to its
 * contents. Returns false and prints nothing if the file is not mapped. Then the caller must read the file without
 * mapping, and report any error of the read. If the caller changes the mapped bytes, the file does not change. Another
 * program may write to the file while it is mapped, so two reads of one byte may give different values. Only the reader
 * of raw profiles allows this, so only raw profiles are mapped. At most one file can be mapped at a time.
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
