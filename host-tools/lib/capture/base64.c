/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base64.c - recognises and decodes base64 digits.
 */
#include "base64.h"

static int sextet(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_is_digit(uint8_t c)
{
	return sextet(c) >= 0;
}

const uint8_t *base64_decode(struct buffer *result, const uint8_t *p, const uint8_t *end)
{
	uint32_t bits = 0;
	unsigned int have = 0;

	result->size = 0;
	buffer_reserve(result, (size_t)(end - p));
	for (; p < end && sextet(*p) >= 0; p++) {
		bits = bits << 6 | (uint32_t)sextet(*p);
		have += 6;
		if (have >= 8) {
			have -= 8;
			result->data[result->size++] = (uint8_t)(bits >> have);
		}
	}
	return p;
}
