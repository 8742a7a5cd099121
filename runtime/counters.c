/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counters.c - captures of counters and bitmaps: all that a run alters. The
 * ELF file has the rest.
 */
#include "blocks.h"

/* Streams have the numbers that their sections have here. */
_Static_assert(BAREPROF_CNTS == BAREPROF_STREAM_COUNTERS && BAREPROF_BITS == BAREPROF_STREAM_BITMAP,
	"streams are numbered like sections");

static uint8_t *BAREPROF_CALLBACK counters_payload(const struct bareprof_capture *capture, uint8_t *p, uint32_t index)
{
	const struct bareprof_image *image = capture->image;
	const struct bareprof_span *section = &image->section[BAREPROF_CNTS];
	struct {
		size_t stream, coding, offset, raw;
	} said = {BAREPROF_CNTS, image->shift ? BAREPROF_CODING_NUMBERS : BAREPROF_CODING_INVERTED, 0, capture->span};
	const uint8_t *from;
	uint8_t *start = p;
	uint8_t *end;

	if (index >= capture->last) {
		index -= capture->last - 1;
		section++;
		said.stream++;
		said.coding = BAREPROF_CODING_BYTES;
	}
	said.offset = (size_t)(index - 1) * said.raw;
	if (said.raw > section->size - said.offset)
		said.raw = section->size - said.offset;
	p = bareprof_put(p, &said.stream, 4);
	from = (const uint8_t *)section->start + said.offset;
	end = bareprof_tokens(p, from, said.raw, (unsigned int)said.coding);
	if (!end) {
		start[1] = BAREPROF_CODING_STORED;
		bareprof_copy(p, from, said.raw);
		end = p + said.raw;
	}
	return end;
}

int bareprof_capture_open(
	struct bareprof_capture *capture, const struct bareprof_image *image, uint64_t nonce, void *buf, size_t size)
{
	const struct bareprof_span *section = image->section;

	if (image->value_sites)
		return BAREPROF_E_VALUE_SITES;
	capture->image = image;
	capture->payload = counters_payload;
	capture->nonce = nonce;
	capture->generation = image->generation;
	capture->streams[0] = 2;
	capture->streams[1] = BAREPROF_STREAM_COUNTERS;
	capture->streams[2] = section[BAREPROF_CNTS].size;
	capture->streams[3] = BAREPROF_STREAM_BITMAP;
	capture->streams[4] = section[BAREPROF_BITS].size;
	return bareprof_capture_begin(capture, buf, size);
}
