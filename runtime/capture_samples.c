/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_samples.c - opens captures of samples: one stream, which is the header and the samples or the histogram.
 */
#include <bareprof/sample.h>

#include "capture_blocks.h"

#if BAREPROF_SERVES_SAMPLES

static uint8_t *BAREPROF_CALLBACK put_samples(const struct bareprof_capture *capture, uint8_t *p, uint32_t index)
{
	const struct bareprof_slice *samples = &capture->image->section[BAREPROF_CNTS];
	const uint32_t *header = samples->start;
	size_t offset = (index - 1) * capture->span;
	struct bareprof_slice left = {(const uint8_t *)samples->start + offset, samples->size - offset};
	unsigned int coding = BAREPROF_CODING_BYTES;

	if (header[BAREPROF_SAMPLES_KIND] == BAREPROF_SAMPLES_LIST)
		coding = BAREPROF_CODING_DELTAS | header[BAREPROF_SAMPLES_WORDS] << 8;
	return bareprof_put_data(p, &left, capture->span, coding);
}

int bareprof_capture_samples(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size)
{
	capture->payload = put_samples;
	capture->streams[0] = 1;
	capture->streams[1] = BAREPROF_STREAM_SAMPLES;
	capture->streams[2] = image->section[BAREPROF_CNTS].size;
	return bareprof_capture_begin(capture, image, nonce, buf, size);
}

#endif
