/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * encode_file.c - passes blocks on unchanged, for a channel whose receiver stores the bytes
 * in a file. The magic bytes before BEGIN make the file a capture file.
 */
#include <bareprof/capture.h>

int BAREPROF_CALLBACK bareprof_encode_file(const void *block, size_t n, bareprof_sink sink, void *context)
{
	static const char magic[] = BAREPROF_FILE_MAGIC;
	const uint8_t *type = block;
	int stop = *type == BAREPROF_BLOCK_BEGIN ? sink(context, magic, BAREPROF_FILE_MAGIC_SIZE) : 0;

	return stop ? stop : sink(context, block, n);
}
