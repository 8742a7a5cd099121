/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * whole.c - captures of a whole .profraw, for where nobody keeps ELF files.
 */
#include "blocks.h"

static uint8_t *BAREPROF_CALLBACK whole_payload(const struct bareprof_capture *capture, uint8_t *p, uint32_t index)
{
	size_t said[4] = {BAREPROF_STREAM_PROFRAW, BAREPROF_CODING_STORED, 0, capture->span};
	size_t left;

	said[2] = (size_t)(index - 1) * capture->span;
	left = capture->dump->size - said[2];
	if (said[3] > left)
		said[3] = left;
	p = bareprof_put(p, said, 4);
	/* If this says STALE, so will bareprof_block(). */
	bareprof_read(capture->dump, said[2], p, said[3]);
	return p + said[3];
}

int bareprof_capture_whole(
	struct bareprof_capture *capture, const struct bareprof_dump *dump, uint64_t nonce, void *buf, size_t size)
{
	capture->image = dump->image;
	capture->dump = dump;
	capture->payload = whole_payload;
	capture->nonce[0] = (uint32_t)nonce;
	capture->nonce[1] = (uint32_t)(nonce >> 32);
	capture->generation = dump->generation;
	capture->streams[0] = 1;
	capture->streams[1] = BAREPROF_STREAM_PROFRAW;
	capture->streams[2] = dump->size;
	return bareprof_capture_begin(capture, buf, size);
}
