/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_counters.c - opens captures of counters and bitmaps, the only sections that a
 * run of the image changes. The host takes all other sections from the ELF file.
 */
#include "capture_blocks.h"

/* The bitmap follows the counters. (C99 has no _Static_assert.) */
typedef char bitmap_follows_counters[BAREPROF_BITS == BAREPROF_CNTS + 1 ? 1 : -1];

uint8_t *BAREPROF_CALLBACK bareprof_put_counters(const struct bareprof_capture *capture, uint8_t *p, uint32_t index)
{
	const struct bareprof_slice *section = &capture->image->section[BAREPROF_CNTS];
	unsigned int coding = capture->image->shift ? BAREPROF_CODING_NUMBERS : BAREPROF_CODING_INVERTED;
	struct bareprof_slice left;
	size_t offset;

	if (index >= capture->first[1]) {
		index -= capture->first[1] - 1;
		section++;
		coding = BAREPROF_CODING_BYTES;
	}
	offset = (index - 1) * capture->span;
	left.start = (const uint8_t *)section->start + offset;
	left.size = section->size - offset;
	return bareprof_put_data(p, &left, capture->span, coding);
}

int bareprof_capture_counters(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size)
{
	const struct bareprof_slice *section = image->section;

	capture->streams[1] = BAREPROF_STREAM_COUNTERS;
	capture->streams[2] = section[BAREPROF_CNTS].size;
	capture->streams[3] = BAREPROF_STREAM_BITMAP;
	capture->streams[4] = section[BAREPROF_BITS].size;
	return bareprof_capture_begin(capture, image, nonce, buf, size);
}

int bareprof_capture_open(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size)
{
	if (image->value_sites)
		return BAREPROF_E_VALUE_SITES;
	capture->payload = bareprof_put_counters;
	capture->streams[0] = 2;
	return bareprof_capture_counters(capture, image, nonce, buf, size);
}
