/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * encode_frame.c - blocks as COBS frames, for a channel that nobody else writes to.
 *
 * COBS replaces every zero byte by the distance to the next one, so that zero
 * can mean "a frame ends here": 1 byte in 254 more, and a reader that comes in
 * late knows where to start.
 */
#include <bareprof/capture.h>

int BAREPROF_CALLBACK bareprof_encode_frame(const void *block, size_t n, bareprof_sink sink, void *context)
{
	const uint8_t *p = block;
	const uint8_t *end = p + n;
	unsigned int distance = 0; /* from where a byte stands before @p to the next zero */

	/* A run of non-zero bytes at a time. Behind the block comes a zero, which the last stands for. */
	for (;;) {
		uint8_t code = (uint8_t)distance;
		int stop = sink(context, &code, 1);

		if (!stop && distance > 1)
			stop = sink(context, p, distance - 1);
		if (stop || p > end)
			return stop;
		p += distance - (distance == 255); /* there no zero was */
		distance = 0;
		if (p <= end)
			do
				distance++;
			while (distance < 255 && p + distance <= end && p[distance - 1]);
	}
}
