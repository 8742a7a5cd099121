/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inflate.h - unpacks data that the compiler packed with zlib.
 */
#ifndef BAREPROF_HOST_INFLATE_H
#define BAREPROF_HOST_INFLATE_H

#include "bytes.h"

/*
 * inflate_all - unpacks @packed to the end of @output. Returns false unless the result has
 * exactly @size bytes. The caller limits @size, because all of this memory is allocated at once.
 */
bool inflate_all(struct bytes packed, size_t size, struct buffer *output);

#endif
