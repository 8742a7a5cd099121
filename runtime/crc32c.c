/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crc32c.c - computes CRC-32C bit by bit. A table would cost 64 to 1,024 bytes and gain
 * nothing, because this loop is already faster than the wire.
 */
#include <bareprof/capture.h>

#define POLYNOMIAL 0x82f63b78u /* 0x1edc6f41 with its bits in reverse order */

uint32_t bareprof_crc32c(uint32_t crc, const void *data, size_t n)
{
	const uint8_t *p = data;

	crc = ~crc;
	while (n--) {
		unsigned int bit = 8;

		crc ^= *p++;
		do
			crc = crc >> 1 ^ (POLYNOMIAL & -(crc & 1u));
		while (--bit);
	}
	return ~crc;
}
