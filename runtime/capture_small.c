/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_small.c - the smallest thing that works: counters alone, nothing learnt, nothing
 * kept. What they count is in the ELF file, and the host checks it there.
 */
#include "capture_blocks.h"
#include "image_bounds.h"

/* What is needed here, in this order. */
enum {
	ID,
	COUNTERS,
	BITMAP,
	SECTIONS
};

BAREPROF_API extern const int32_t bareprof_small_bounds[2 * SECTIONS];
BAREPROF_BOUNDS_TABLE("bareprof_small_bounds",
	BAREPROF_BOUNDS("bareprof_build_id") BAREPROF_BOUNDS("__llvm_prf_cnts") BAREPROF_BOUNDS("__llvm_prf_bits"));

/* Find them; returns the high half of the version word. */
static size_t find(struct bareprof_slice section[SECTIONS])
{
	return (size_t)(bareprof_read_bounds(section, bareprof_small_bounds, SECTIONS) >> 32);
}

static int byte_counters(size_t variants)
{
	return (variants & (size_t)(BAREPROF_VARIANT_BYTE_COVERAGE >> 32)) != 0;
}

int bareprof_small_start(void)
{
	struct bareprof_slice section[SECTIONS];
	/* A byte counter is 0xff until its block has run. */
	int never = byte_counters(find(section)) ? 0xff : 0;

	bareprof_fill((void *)(uintptr_t)section[COUNTERS].start, never, section[COUNTERS].size);
	bareprof_fill((void *)(uintptr_t)section[BITMAP].start, 0, section[BITMAP].size);
	return section[COUNTERS].size ? BAREPROF_OK : BAREPROF_E_NO_COUNTERS;
}

int bareprof_small_dump(size_t nonce, void *buf, size_t size, bareprof_encoder form, bareprof_sink sink, void *context)
{
	struct bareprof_slice section[SECTIONS];
	struct bareprof_slice *left = &section[COUNTERS];
	size_t variants = find(section);
	size_t number[12]; /* of BEGIN, in its order */
	size_t field[3] = {BAREPROF_BLOCK_BEGIN, 0, 0}; /* type, image, index */
	uint8_t *payload = (uint8_t *)buf + BAREPROF_BEGIN_PAYLOAD;
	unsigned int coding = byte_counters(variants) ? BAREPROF_CODING_INVERTED : BAREPROF_CODING_NUMBERS;
	uint8_t *end;
	uint32_t tag;

	if (size < BAREPROF_BUFFER_MIN(section[ID].size))
		return BAREPROF_E_NO_SPACE;
	number[0] = 0; /* the raw version: nobody looked at the records */
	number[1] = variants;
	number[2] = nonce;
	number[3] = 0; /* generation */
	number[4] = BAREPROF_SPAN(size);
	number[5] = 2; /* streams, each with its size */
	number[6] = BAREPROF_STREAM_COUNTERS;
	number[7] = left->size;
	number[8] = BAREPROF_STREAM_BITMAP;
	number[9] = left[1].size;
	number[10] = (uintptr_t)left->start;
	number[11] = section[ID].size;
	end = bareprof_put_begin(payload, number, 12, section[ID].start);
	tag = bareprof_crc32c(0, payload, (size_t)(end - payload));
	for (;;) {
		payload = bareprof_start_block(buf, field, tag);
		if (field[0] == BAREPROF_BLOCK_DATA)
			end = bareprof_put_data(payload, left, number[4], coding);
		else if (field[2])
			end = payload;
		if (form(buf, bareprof_finish_block(buf, payload, end), sink, context))
			return BAREPROF_E_SINK;
		BAREPROF_YIELD();
		if (field[0] == BAREPROF_BLOCK_END)
			return BAREPROF_OK;
		field[2]++;
		field[0] = BAREPROF_BLOCK_DATA;
		if (!left->size) {
			/* Only the bitmap is coded so. */
			if (coding == BAREPROF_CODING_BYTES || !left[1].size)
				field[0] = BAREPROF_BLOCK_END;
			left++;
			coding = BAREPROF_CODING_BYTES;
		}
	}
}
