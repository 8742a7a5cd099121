/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * md5.h - MD5 (RFC 1321). Profiles refer to a name by the first 8 bytes of its MD5.
 */
#ifndef BAREPROF_HOST_MD5_H
#define BAREPROF_HOST_MD5_H

#include "bytes.h"

/* md5_low - returns the first 8 bytes of the MD5 of @bytes as a little-endian integer. */
uint64_t md5_low(struct bytes bytes);

/* md5 - stores all 16 bytes of the MD5 of @bytes in @result. */
void md5(struct bytes bytes, uint8_t result[16]);

/*
 * md5_low_each - stores the result of md5_low() for each of @count messages in @results. This is
 * much faster than @count calls of md5_low().
 */
void md5_low_each(const struct bytes *messages, size_t count, uint64_t *results);

#endif
