/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inflate.h - unpacks data that the compiler packed with zlib.
 */
#ifndef BAREPROF_HOST_INFLATE_H
#define BAREPROF_HOST_INFLATE_H

#include "bytes.h"

/*
 * inflate_all - unpacks @packed and appends the result to @output. Returns false if the result does
 * not have exactly @size bytes. The caller must limit @size, because @size bytes are allocated
 * before anything is unpacked.
 */
bool inflate_all(struct bytes packed, size_t size, struct buffer *output);

#endif
