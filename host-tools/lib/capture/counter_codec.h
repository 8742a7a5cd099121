/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_codec.h - decodes counters and bitmaps (docs/SPEC.md, 1.7).
 */
#ifndef BAREPROF_HOST_COUNTER_CODEC_H
#define BAREPROF_HOST_COUNTER_CODEC_H

#include "bytes.h"

/*
 * counters_decode - decodes @coded to exactly @size bytes at @raw. If @raw is NULL, only
 * checks @coded. @big is true for a big-endian target. Returns false if @coding is unknown, or if @coded
 * is malformed or decodes to another size. After a result of false, the bytes at @raw are not
 * valid.
 */
bool counters_decode(uint8_t *raw, size_t size, unsigned int coding, bool big, struct bytes coded);

#endif
