/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base64.h - reads the base64 of a block in a line of text. It has no padding.
 */
#ifndef BAREPROF_HOST_BASE64_H
#define BAREPROF_HOST_BASE64_H

#include "bytes.h"

bool base64_is_digit(uint8_t c);

/*
 * base64_decode - decodes from @p to the first byte that is not a digit of base64 or to @end, and
 * returns the address at which it stopped. @result is overwritten.
 */
const uint8_t *base64_decode(struct buffer *result, const uint8_t *p, const uint8_t *end);

#endif
