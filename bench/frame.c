/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.c - reads one block from standard input and writes it to standard output as a
 * COBS frame of the runtime.
 */
#include <bareprof/capture.h>

#include <stdio.h>

static int put(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) != n;
}

int main(void)
{
	static unsigned char block[BAREPROF_BLOCK_MAX];
	size_t n = fread(block, 1, sizeof(block), stdin);

	return !n || bareprof_encode_frame(block, n, put, stdout) || fflush(stdout);
}
