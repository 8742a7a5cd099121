/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_send.c - sends all blocks of a capture, once and in order, through a sink.
 */
#include <bareprof/capture.h>

int bareprof_send(const struct bareprof_capture *capture, void *buf, size_t size, bareprof_encoder form,
	bareprof_sink sink, void *context)
{
	uint32_t i;

	for (i = 0; i < capture->blocks; i++) {
		intptr_t n = bareprof_block(capture, i, buf, size);

		if (n < 0)
			return (int)n;
		if (form(buf, (size_t)n, sink, context))
			return BAREPROF_E_SINK;
		BAREPROF_YIELD();
	}
	return BAREPROF_OK;
}
