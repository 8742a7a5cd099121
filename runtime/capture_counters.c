/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_counters.c - opens captures of counters and bitmaps, the only sections that a
 * run of the image changes. The host takes all other sections from the ELF file. A machine
 * profile has coverage bytes in place of counters, and call entries in place of bitmaps.
 */
#include "capture_blocks.h"

/* The second section follows the first one, and so do the numbers of streams. (C99 has no _Static_assert.) */
typedef char bitmap_follows_counters[BAREPROF_BITS == BAREPROF_CNTS + 1 ? 1 : -1];
typedef char streams_ascend[BAREPROF_STREAM_BITMAP == BAREPROF_STREAM_COUNTERS + 1 &&
					    BAREPROF_STREAM_MIP_CALLS == BAREPROF_STREAM_MIP_COV + 1
				    ? 1
				    : -1];

uint8_t *BAREPROF_CALLBACK bareprof_put_counters(const struct bareprof_capture *capture, uint8_t *p, uint32_t index)
{
	const struct bareprof_slice *section = &capture->image->section[BAREPROF_CNTS];
	unsigned int machine = capture->image->machine != 0;
	unsigned int coding = BAREPROF_CODING_INVERTED;
	struct bareprof_slice left;
	size_t offset;

	if (capture->image->shift)
		coding = machine ? BAREPROF_CODING_BYTES : BAREPROF_CODING_NUMBERS;
	if (index >= capture->first[1]) {
		index -= capture->first[1] - 1;
		section++;
		coding = machine ? BAREPROF_CODING_INVERTED : BAREPROF_CODING_BYTES;
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
	size_t first = image->machine ? BAREPROF_STREAM_MIP_COV : BAREPROF_STREAM_COUNTERS;

	capture->streams[1] = first;
	capture->streams[2] = section[BAREPROF_CNTS].size;
	capture->streams[3] = first + 1;
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
