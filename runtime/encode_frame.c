/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * encode_frame.c - encodes blocks as COBS frames, for a channel that only the runtime
 * writes to.
 *
 * A zero byte starts and ends a frame, so a reader that starts late finds the next frame.
 * Within a frame, each zero is replaced by a code, which is put in front of the bytes
 * before the zero. A code c from 1 to 254 stands for the c - 1 bytes that follow the code,
 * and then a zero. The code 255 stands for 254 bytes without a zero. The block is encoded
 * as if a zero followed the block. For example, the
 * bytes 11 22 00 33 become this frame:
 *
 *	00 03 11 22 02 33 00
 */
#include <bareprof/capture.h>

#define CODE_MAX 255u

/* Returns the code for the bytes from @p on: 1 + the number of bytes before the next zero or @end, at most CODE_MAX. */
static unsigned int code_of(const uint8_t *p, const uint8_t *end)
{
	unsigned int code = 1;

	while (code < CODE_MAX && p + code <= end && p[code - 1])
		code++;
	return code;
}

int BAREPROF_CALLBACK bareprof_encode_frame(const void *block, size_t n, bareprof_sink sink, void *context)
{
	const uint8_t *p = block;
	const uint8_t *end = p + n;
	unsigned int code = 0; /* 0: the start or the end of the frame */

	for (;;) {
		uint8_t byte = (uint8_t)code;
		int stop = sink(context, &byte, 1);

		if (!stop && code > 1)
			stop = sink(context, p, code - 1);
		if (stop || p > end)
			return stop;
		p += code < CODE_MAX ? code : CODE_MAX - 1;
		code = 0;
		if (p <= end)
			code = code_of(p, end);
	}
}
