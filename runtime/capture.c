/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture.c - builds the blocks BEGIN, DATA and END of a capture, in any order and any
 * number of times. A DATA block covers the same raw bytes every time it is built.
 */
#include "capture_blocks.h"
#include "values_serialize.h"

static uint8_t *put_begin(const struct bareprof_capture *capture, uint8_t *p)
{
	return bareprof_put_begin(p, &capture->version, 8 + 2 * (unsigned int)capture->streams[0],
		capture->image->section[BAREPROF_BUILD_ID].start);
}

int bareprof_capture_begin(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size)
{
	const struct bareprof_slice *section = image->section;
	size_t *number = capture->streams;
	uint32_t blocks = 1;
	size_t n;

	capture->image = image;
	capture->version = (uint32_t)image->version;
	capture->variants = (size_t)(image->version >> 32);
	capture->nonce = nonce;
	capture->generation = image->generation;
	capture->epoch = bareprof_epoch(image);
	if (size < BAREPROF_BUFFER_MIN(section[BAREPROF_BUILD_ID].size))
		return BAREPROF_E_NO_SPACE;
	capture->span = BAREPROF_SPAN(size);
	capture->buffer_min = capture->span + BAREPROF_BLOCK_OVERHEAD;
	for (n = 0; n < capture->streams[0]; n++) {
		intptr_t left;

		number += 2;
		capture->first[n] = blocks;
		/* Counts blocks in a loop, because not every CPU has an instruction for division. */
		for (left = (intptr_t)*number; left > 0; left -= (intptr_t)capture->span)
			blocks++;
	}
	number[1] = (uintptr_t)image->live->section[BAREPROF_CNTS].start;
	number[2] = section[BAREPROF_BUILD_ID].size;
	capture->blocks = blocks + 1;
	capture->tag = bareprof_crc32c(0, buf, (size_t)(put_begin(capture, buf) - (uint8_t *)buf));
	return BAREPROF_OK;
}

intptr_t bareprof_block(const struct bareprof_capture *capture, uint32_t index, void *buf, size_t size)
{
	size_t field[BAREPROF_FIELDS] = {BAREPROF_BLOCK_DATA, capture->image->number, index};
	uint8_t *payload;
	uint8_t *end;

	if (index >= capture->blocks)
		return BAREPROF_E_ARGUMENT;
	if (size < capture->buffer_min)
		return BAREPROF_E_NO_SPACE;

	if (!index)
		field[BAREPROF_FIELD_TYPE] = BAREPROF_BLOCK_BEGIN;
	else if (index == capture->blocks - 1)
		field[BAREPROF_FIELD_TYPE] = BAREPROF_BLOCK_END;
	payload = bareprof_start_block(buf, field, capture->tag);
	end = payload;
	if (field[BAREPROF_FIELD_TYPE] == BAREPROF_BLOCK_BEGIN)
		end = put_begin(capture, payload);
	else if (field[BAREPROF_FIELD_TYPE] == BAREPROF_BLOCK_DATA)
		end = capture->payload(capture, payload, index);
	/* The epochs are compared after the counters were read, so that a reset during the reading is noticed. */
	if (capture->epoch != bareprof_epoch(capture->image))
		return BAREPROF_E_STALE;
	return (intptr_t)bareprof_finish_block(buf, payload, end);
}
