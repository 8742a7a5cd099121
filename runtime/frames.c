/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frames.c - blocks as COBS frames, for a channel that nobody else writes to.
 *
 * COBS replaces every zero byte by the distance to the next one, so that zero
 * can mean "a frame ends here": 1 byte in 254 more, and a reader that comes in
 * late knows where to start.
 */
#include <bareprof/capture.h>

int BAREPROF_CALLBACK bareprof_frame(const void *block, size_t n, bareprof_sink sink, void *context)
{
	static const uint8_t zero = 0;
	const uint8_t *p = block;
	const uint8_t *end = p + n;
	int stop = sink(context, &zero, 1);

	/* A run of non-zero bytes at a time; its length + 1 goes before it. */
	while (!stop) {
		uint8_t run = 0;
		uint8_t code;

		while (run < 254 && p + run < end && p[run])
			run++;
		code = (uint8_t)(run + 1);
		stop = sink(context, &code, 1);
		if (!stop && run)
			stop = sink(context, p, run);
		p += run;
		if (p == end)
			break;
		if (run < 254)
			p++; /* the zero that the code stands for */
	}
	return stop ? stop : sink(context, &zero, 1);
}
