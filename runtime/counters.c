/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counters.c - captures of counters and bitmaps: all that a run alters. The
 * ELF file has the rest.
 */
#include "blocks.h"

_Static_assert(BAREPROF_BITS == BAREPROF_CNTS + 1, "the bitmap follows the counters");

static uint8_t *BAREPROF_CALLBACK counters_payload(const struct bareprof_capture *capture, uint8_t *p, uint32_t index)
{
	const struct bareprof_image *image = capture->image;
	const struct bareprof_span *section = &image->section[BAREPROF_CNTS];
	uint8_t *said = p;
	size_t place[2]; /* offset in the stream, and raw bytes */
	const uint8_t *from;
	uint8_t *end;

	said[0] = BAREPROF_STREAM_COUNTERS;
	said[1] = image->shift ? BAREPROF_CODING_NUMBERS : BAREPROF_CODING_INVERTED;
	if (index >= capture->last) {
		index -= capture->last - 1;
		section++;
		said[0] = BAREPROF_STREAM_BITMAP;
		said[1] = BAREPROF_CODING_BYTES;
	}
	place[0] = (index - 1) * capture->span;
	place[1] = section->size - place[0];
	if (place[1] > capture->span)
		place[1] = capture->span;
	p = bareprof_put(said + 2, place, 2);
	from = (const uint8_t *)section->start + place[0];
	end = bareprof_tokens(p, from, place[1], said[1]);
	if (!end) {
		said[1] = BAREPROF_CODING_STORED;
		bareprof_copy(p, from, place[1]);
		end = p + place[1];
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
	capture->nonce[0] = (uint32_t)nonce;
	capture->nonce[1] = (uint32_t)(nonce >> 32);
	capture->generation = image->generation;
	capture->streams[0] = 2;
	capture->streams[1] = BAREPROF_STREAM_COUNTERS;
	capture->streams[2] = section[BAREPROF_CNTS].size;
	capture->streams[3] = BAREPROF_STREAM_BITMAP;
	capture->streams[4] = section[BAREPROF_BITS].size;
	return bareprof_capture_begin(capture, buf, size);
}
