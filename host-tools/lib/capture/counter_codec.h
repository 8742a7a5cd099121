/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_codec.h - decodes counters and bitmaps (docs/SPEC.md, 1.7).
 */
#ifndef BAREPROF_HOST_COUNTER_CODEC_H
#define BAREPROF_HOST_COUNTER_CODEC_H

#include "bytes.h"

/*
 * counters_decode - decodes @coded to exactly @size bytes at @raw; @raw NULL: only check it. @big:
 * the target is big-endian. Returns false if @coded is malformed or decodes to another size, or if
 * @coding is unknown. Then the bytes at @raw are not valid.
 */
bool counters_decode(uint8_t *raw, size_t size, unsigned int coding, bool big, struct bytes coded);

#endif
