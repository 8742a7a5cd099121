/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_codec.h - the codings of counters and bitmaps (docs/SPEC.md, 1.7).
 */
#ifndef BAREPROF_HOST_COUNTER_CODEC_H
#define BAREPROF_HOST_COUNTER_CODEC_H

#include "bytes.h"

/*
 * counters_decode - put what @coded stands for, exactly @size bytes, at @raw; NULL:
 * only check it. @big is the byte order of the target. False if it is malformed, or
 * stands for more or less, or the coding is not known; @raw is of no use then.
 */
bool counters_decode(uint8_t *raw, size_t size, unsigned int coding, bool big, struct bytes coded);

#endif
