/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * md5.h - MD5 (RFC 1321). Profiles refer to a name by the first half of its MD5.
 */
#ifndef BAREPROF_HOST_MD5_H
#define BAREPROF_HOST_MD5_H

#include "bytes.h"

/* md5_low - returns the first 8 bytes of the MD5 of @bytes as a little-endian integer. */
uint64_t md5_low(struct bytes bytes);

/* md5 - stores all 16 bytes of the MD5 of @bytes. */
void md5(struct bytes bytes, uint8_t result[16]);

/* md5_low_each - does what md5_low() does for @count messages, and is much faster than a call for each message. */
void md5_low_each(const struct bytes *messages, size_t count, uint64_t *results);

#endif
