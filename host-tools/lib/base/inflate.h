/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inflate.h - unpack what the compiler packed with zlib.
 */
#ifndef BAREPROF_HOST_INFLATE_H
#define BAREPROF_HOST_INFLATE_H

#include "bytes.h"

/*
 * inflate_all - unpack @packed, which must yield exactly @size bytes, to the end
 * of @output. @size is to be limited by the caller: it is asked for at once.
 */
bool inflate_all(struct bytes packed, size_t size, struct buffer *output);

#endif
