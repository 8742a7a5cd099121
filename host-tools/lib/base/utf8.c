/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * utf8.c - distinguishes UTF-8 sequences from other bytes.
 */
#include "utf8.h"

size_t utf8_announced(uint8_t first)
{
	return first < 0x80                    ? 1
	       : first >= 0xc2 && first < 0xe0 ? 2
	       : first >= 0xe0 && first < 0xf0 ? 3
	       : first >= 0xf0 && first < 0xf5 ? 4
	                                       : 0;
}

size_t utf8_length(struct bytes text)
{
	uint8_t c = text.data[0];
	size_t n = utf8_announced(c);
	size_t i;

	if (!n || n > text.size)
		return 0;
	for (i = 1; i < n; i++)
		if ((text.data[i] & 0xc0) != 0x80)
			return 0;
	/* Refuses overlong forms, surrogates, and characters above U+10FFFF. */
	if ((c == 0xe0 && text.data[1] < 0xa0) || (c == 0xed && text.data[1] > 0x9f) ||
		(c == 0xf0 && text.data[1] < 0x90) || (c == 0xf4 && text.data[1] > 0x8f))
		return 0;
	return n;
}
