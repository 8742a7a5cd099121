/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * md5.h - MD5 (RFC 1321), of which profiles use half to refer to names.
 */
#ifndef BAREPROF_HOST_MD5_H
#define BAREPROF_HOST_MD5_H

#include "bytes.h"

/* md5_low - the first 8 bytes of the MD5 of @bytes as a little-endian integer. */
uint64_t md5_low(struct bytes bytes);

/* md5 - all 16 bytes of the MD5 of @bytes. */
void md5(struct bytes bytes, uint8_t result[16]);

/* md5_low_each - the same for @count messages into as many @results; much faster than one by one. */
void md5_low_each(const struct bytes *messages, size_t count, uint64_t *results);

#endif
