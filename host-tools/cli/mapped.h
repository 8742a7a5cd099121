/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapped.h - one large input in memory without reading it: of one profile of 11 MB
 * that saves a sixth of the whole merge.
 *
 * For the program, not for the library: a file that somebody cuts short while it
 * is mapped raises a signal, and this handles it for the whole process. What is
 * lost reads as zeros from then on, and mapped_whole() says so in the end.
 */
#ifndef BAREPROF_HOST_MAPPED_H
#define BAREPROF_HOST_MAPPED_H

#include "bytes.h"
#include "error.h"

/*
 * mapped_raw - map the file at @path if it is an ordinary one, large and a raw
 * profile. False: read it, or let that say what is wrong. The bytes may be altered;
 * the file does not change by it. Others may write to it meanwhile, so what is read
 * twice may differ: the reader of raw profiles reads nothing twice that it relies
 * on, other readers do. One file at a time.
 */
bool mapped_raw(const char *path, struct bytes *bytes);

/* mapped_whole - nobody has touched the file until now, or none was mapped. Errors: SYSTEM. */
enum status mapped_whole(struct error *error);

void mapped_end(void);

#endif
