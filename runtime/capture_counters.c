/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_counters.c - opens captures of counters and bitmaps, the only sections that a
 * run of the image changes. The host takes all other sections from the ELF file. A machine
 * profile has coverage bytes in place of counters, call entries in place of bitmaps, and
 * block bytes and samples in the two sections after them.
 */
#include "capture_blocks.h"
#include "values_serialize.h"

/* The sections follow each other, and so do the numbers of streams. (C99 has no _Static_assert.) */
typedef char sections_ascend[BAREPROF_BITS == BAREPROF_CNTS + 1 && BAREPROF_VTAB == BAREPROF_CNTS + 3 ? 1 : -1];
typedef char streams_ascend[BAREPROF_STREAM_BITMAP == BAREPROF_STREAM_COUNTERS + 1 &&
					    BAREPROF_STREAM_MIP_CALLS == BAREPROF_STREAM_MIP_COV + 1 &&
					    BAREPROF_STREAM_MIP_SMP == BAREPROF_STREAM_MIP_COV + 3
				    ? 1
				    : -1];

uint8_t *BAREPROF_CALLBACK bareprof_put_counters(const struct bareprof_capture *capture, uint8_t *p, uint32_t index)
{
	const struct bareprof_slice *section = &capture->image->section[BAREPROF_CNTS];
	unsigned int machine = capture->image->machine != 0;
	unsigned int coding = BAREPROF_CODING_INVERTED;
	const uint32_t *first = &capture->first[1];
	struct bareprof_slice left;
	size_t offset;

	if (capture->image->shift)
		coding = machine ? BAREPROF_CODING_BYTES : BAREPROF_CODING_NUMBERS;
	if (index >= *first) {
		section++;
		coding = machine ? BAREPROF_CODING_INVERTED : BAREPROF_CODING_BYTES;
		while (bareprof_live_sections(capture->image) > 2 && first < &capture->first[3] && index >= first[1]) {
			first++;
			section++;
			/* Block bytes start as 0xff, as call entries do. Samples start as 0. */
			if (first == &capture->first[3])
				coding = BAREPROF_CODING_BYTES;
		}
		index -= *first - 1;
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
	if (bareprof_live_sections(image) > 2) {
		capture->streams[5] = first + 2;
		capture->streams[6] = section[BAREPROF_BITS + 1].size;
		capture->streams[7] = first + 3;
		capture->streams[8] = section[BAREPROF_BITS + 2].size;
	}
	return bareprof_capture_begin(capture, image, nonce, buf, size);
}

int bareprof_capture_open(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size)
{
	if (image->value_sites)
		return BAREPROF_E_VALUE_SITES;
	capture->payload = bareprof_put_counters;
	capture->streams[0] = bareprof_live_sections(image);
	return bareprof_capture_counters(capture, image, nonce, buf, size);
}
