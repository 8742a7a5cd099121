/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_small.c - the small form of the runtime. It sends counters and bitmaps, reads no
 * records and keeps no state. The host takes the records from the ELF file, and checks the
 * records.
 */
#include "capture_blocks.h"
#include "image_bounds.h"

/* The sections that the small form needs, in the order of bareprof_small_bounds. */
enum {
	ID,
	COUNTERS,
	BITMAP,
	SECTIONS
};

BAREPROF_API extern const int32_t bareprof_small_bounds[2 * SECTIONS];
BAREPROF_BOUNDS_TABLE("bareprof_small_bounds",
	BAREPROF_BOUNDS("bareprof_build_id") BAREPROF_BOUNDS("__llvm_prf_cnts") BAREPROF_BOUNDS("__llvm_prf_bits"));

/*
 * Sets @section to the sections of the image. Returns the upper half of the version word,
 * which has the variant bits.
 */
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
	/* A byte counter is 0xff until its block of code has run. */
	int never = byte_counters(find(section)) ? 0xff : 0;

	bareprof_fill((void *)(uintptr_t)section[COUNTERS].start, never, section[COUNTERS].size);
	bareprof_fill((void *)(uintptr_t)section[BITMAP].start, 0, section[BITMAP].size);
	return section[COUNTERS].size ? BAREPROF_OK : BAREPROF_E_NO_COUNTERS;
}

/* The numbers of BEGIN, in the order of its payload. */
enum {
	BEGIN_VERSION,
	BEGIN_VARIANTS,
	BEGIN_NONCE,
	BEGIN_GENERATION,
	BEGIN_SPAN,
	BEGIN_STREAMS, /* number of streams; the kind and the size of each stream follow */
	BEGIN_COUNTERS,
	BEGIN_COUNTERS_SIZE,
	BEGIN_BITMAP,
	BEGIN_BITMAP_SIZE,
	BEGIN_ADDRESS, /* address of the counters */
	BEGIN_ID_SIZE,
	BEGIN_NUMBERS
};

static void fill_begin(size_t number[BEGIN_NUMBERS], const struct bareprof_slice section[SECTIONS], size_t variants,
	size_t nonce, size_t size)
{
	number[BEGIN_VERSION] = 0; /* 0 means unknown, because the small form does not read the records */
	number[BEGIN_VARIANTS] = variants;
	number[BEGIN_NONCE] = nonce;
	number[BEGIN_GENERATION] = 0;
	number[BEGIN_SPAN] = BAREPROF_SPAN(size);
	number[BEGIN_STREAMS] = 2;
	number[BEGIN_COUNTERS] = BAREPROF_STREAM_COUNTERS;
	number[BEGIN_COUNTERS_SIZE] = section[COUNTERS].size;
	number[BEGIN_BITMAP] = BAREPROF_STREAM_BITMAP;
	number[BEGIN_BITMAP_SIZE] = section[BITMAP].size;
	number[BEGIN_ADDRESS] = (uintptr_t)section[COUNTERS].start;
	number[BEGIN_ID_SIZE] = section[ID].size;
}

int bareprof_small_dump(size_t nonce, void *buf, size_t size, bareprof_encoder form, bareprof_sink sink, void *context)
{
	struct bareprof_slice section[SECTIONS];
	struct bareprof_slice *stream = &section[COUNTERS]; /* the part of the current stream that is not sent yet */
	size_t variants = find(section);
	size_t number[BEGIN_NUMBERS];
	size_t field[BAREPROF_FIELDS] = {BAREPROF_BLOCK_BEGIN, 0, 0};
	uint8_t *payload = (uint8_t *)buf + BAREPROF_BEGIN_PAYLOAD;
	unsigned int coding = byte_counters(variants) ? BAREPROF_CODING_INVERTED : BAREPROF_CODING_NUMBERS;
	uint8_t *end;
	uint32_t tag;

	if (size < BAREPROF_BUFFER_MIN(section[ID].size))
		return BAREPROF_E_NO_SPACE;
	fill_begin(number, section, variants, nonce, size);
	/* Every block contains the tag, which is the checksum of BEGIN's payload. So BEGIN's payload is built first. */
	end = bareprof_put_begin(payload, number, BEGIN_NUMBERS, section[ID].start);
	tag = bareprof_crc32c(0, payload, (size_t)(end - payload));
	for (;;) {
		payload = bareprof_start_block(buf, field, tag);
		if (field[BAREPROF_FIELD_TYPE] == BAREPROF_BLOCK_DATA)
			end = bareprof_put_data(payload, stream, number[BEGIN_SPAN], coding);
		else if (field[BAREPROF_FIELD_TYPE] == BAREPROF_BLOCK_END)
			end = payload;
		if (form(buf, bareprof_finish_block(buf, payload, end), sink, context))
			return BAREPROF_E_SINK;
		BAREPROF_YIELD();
		if (field[BAREPROF_FIELD_TYPE] == BAREPROF_BLOCK_END)
			return BAREPROF_OK;

		/*
		 * The next block is a DATA block if bytes of this stream or of a later
		 * stream are left. Otherwise it is END.
		 */
		for (; stream != section + SECTIONS && !stream->size; stream++)
			coding = BAREPROF_CODING_BYTES; /* the bitmap is the only later stream */
		field[BAREPROF_FIELD_TYPE] = BAREPROF_BLOCK_DATA;
		if (stream == section + SECTIONS)
			field[BAREPROF_FIELD_TYPE] = BAREPROF_BLOCK_END;
		field[BAREPROF_FIELD_INDEX]++;
	}
}
