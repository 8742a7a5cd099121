/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_values.c - makes captures of counters, bitmaps and values.
 */
#include "capture_blocks.h"
#include "values_serialize.h"

#if BAREPROF_SERVES_VALUES

/* Indices of capture->first[] for the streams that follow counters and bitmaps. */
#define SITES   2u
#define VALUES  3u
#define DROPPED 4u

static uint8_t *BAREPROF_CALLBACK put_values(const struct bareprof_capture *capture, uint8_t *p, uint32_t index)
{
	unsigned int coding = BAREPROF_CODING_BYTES;
	unsigned int parts = BAREPROF_PART_COUNTS;
	unsigned int stream = SITES;
	struct bareprof_slice left;
	uint8_t *raw;

	if (index < capture->first[SITES])
		return bareprof_put_counters(capture, p, index);
	if (index >= capture->first[DROPPED]) {
		left.start = &capture->image->values->dropped;
		left.size = sizeof(size_t);
		return bareprof_put_data(p, &left, capture->span, coding);
	}
	if (index >= capture->first[VALUES]) {
		stream = VALUES;
		parts = BAREPROF_PART_NODES;
		coding = BAREPROF_CODING_NUMBERS;
	}
	/*
	 * The raw bytes are first put at @raw, half a buffer after @p. bareprof_put_data()
	 * then reads them from @raw and puts the coded bytes at @p.
	 */
	raw = p + (capture->buffer_min >> 1);
	left.start = raw;
	left.size = bareprof_read_values(
		capture->image, parts, (index - capture->first[stream]) * capture->span, raw, capture->span);
	return bareprof_put_data(p, &left, capture->span, coding);
}

int bareprof_capture_values(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size)
{
	int error;

	if (!bareprof_lists_are_held(image))
		return BAREPROF_E_VALUE_SITES;
	capture->payload = put_values;
	capture->streams[0] = 5;
	capture->streams[5] = BAREPROF_STREAM_SITES;
	capture->streams[6] = bareprof_read_values(image, BAREPROF_PART_COUNTS, 0, NULL, ~(size_t)0);
	capture->streams[7] = BAREPROF_STREAM_VALUES;
	capture->streams[8] = bareprof_read_values(image, BAREPROF_PART_NODES, 0, NULL, ~(size_t)0);
	capture->streams[9] = BAREPROF_STREAM_DROPPED;
	capture->streams[10] = sizeof(size_t);
	error = bareprof_capture_counters(capture, image, nonce, buf, size >> 1);
	capture->buffer_min *= 2;
	return error;
}

#endif
