/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inflate.c - calls zlib and checks its result.
 */
#include "inflate.h"

#include <zlib.h>

bool inflate_all(struct bytes packed, size_t size, struct buffer *output)
{
	uLongf got = size;
	int result;

	buffer_reserve(output, size);
	result = uncompress(output->data + output->size, &got, packed.data, packed.size);
	output->size += got <= size ? got : 0;
	return result == Z_OK && got == size;
}
