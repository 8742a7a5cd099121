/* SPDX-License-Identifier: BSD-2-Clause */
/* base64.h - decodes base64 without padding. In console text, the blocks of a dump are in this encoding. */
#ifndef BAREPROF_HOST_BASE64_H
#define BAREPROF_HOST_BASE64_H

#include "bytes.h"

bool base64_is_digit(uint8_t c);

/*
 * base64_decode - decodes the base64 digits from @p on into @result, whose previous content is
 * lost. Stops at the first byte that is not a base64 digit, at the latest at @end. Returns the
 * address at which it stopped.
 */
const uint8_t *base64_decode(struct buffer *result, const uint8_t *p, const uint8_t *end);

#endif
