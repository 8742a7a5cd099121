/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_profraw.c - makes captures of a whole .profraw, for images whose ELF files are
 * not kept.
 */
#include "capture_blocks.h"
#include "values_serialize.h"

static uint8_t *BAREPROF_CALLBACK whole_payload(const struct bareprof_capture *capture, uint8_t *p, uint32_t index)
{
	size_t offset = (size_t)(index - 1) * capture->span;
	size_t raw = capture->dump->size - offset;

	if (raw > capture->span)
		raw = capture->span;
	*p++ = BAREPROF_CODING_STORED;
	/*
	 * The only possible error is STALE. It can be ignored here, because
	 * bareprof_block() checks again and then returns STALE.
	 */
	bareprof_read(capture->dump, offset, p, raw);
	return p + raw;
}

int bareprof_capture_profraw(
	struct bareprof_capture *capture, const struct bareprof_dump *dump, size_t nonce, void *buf, size_t size)
{
	if (dump->epoch != bareprof_epoch(dump->image))
		return BAREPROF_E_STALE;
	capture->dump = dump;
	capture->payload = whole_payload;
	capture->streams[0] = 1;
	capture->streams[1] = BAREPROF_STREAM_PROFRAW;
	capture->streams[2] = dump->size;
	return bareprof_capture_begin(capture, dump->image, nonce, buf, size);
}
