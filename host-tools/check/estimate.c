/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate.c - computes the sizes of dumps of an image: the exact size of the .profraw, the size of its capture
 * with the smallest block buffer, and the size of a capture of counters. The size of a capture of counters depends
 * on what ran, so it has a minimum and a maximum (docs/SPEC.md, 1.1 to 1.7).
 */
#include "check.h"

#include <bareprof/capture.h>

static uint64_t uleb(uint64_t value)
{
	uint64_t n = 1;

	for (; value >= 0x80; value >>= 7)
		n++;
	return n;
}

static uint64_t padded(uint64_t n)
{
	return n + BAREPROF_PAD8(n);
}

static uint64_t profraw(const struct check *check)
{
	static const uint8_t since[] = {
#define SINCE(name, first) first,
		BAREPROF_HEADER_WORDS(SINCE)
#undef SINCE
	};
	const struct records *records = &check->records;
	uint64_t size = 0;
	size_t i;

	for (i = 0; i < sizeof(since); i++)
		size += since[i] <= records->version ? 8 : 0;
	if (check->build_id && records->version >= BAREPROF_RAW_V8)
		size += 8 + padded(check->build_id);
	else if (check->build_id && records->version >= BAREPROF_RAW_V7)
		size += 8 + check->build_id;
	size += records->count * BAREPROF_RECORD_SIZE(records->version, records->width);
	for (i = 0; i < SECTIONS; i++)
		size += i == SECTION_RECORDS ? 0 : padded(check->extent[i].size);
	return size + check->value_data;
}

static void add_block(struct forecast *forecast, uint64_t index, uint64_t payload)
{
	/* The runtime always writes the length of the payload as two bytes. */
	uint64_t size = 1 + 1 + uleb(index) + 4 + 2 + payload + 4;

	forecast->text += 4 + (size * 4 + 2) / 3 + 2;
	forecast->frames += 2 + size + size / 254 + 1;
}

/*
 * Returns the number of bytes that @numbers zeros take in the counter codec, which needs one byte for up to 63 zeros.
 */
static uint64_t zeros_coded(uint64_t numbers)
{
	return (numbers + 62) / 63;
}

/* A stream of a capture: its size, and the size of the numbers that it consists of. */
struct stream_size {
	uint64_t size; /* bytes */
	uint64_t number; /* size in bytes of each number that is packed; 0: the stream is stored, not packed */
};

static struct forecast forecast(
	const struct check *check, const struct stream_size *streams, size_t count, uint64_t buffer)
{
	const uint64_t span = (buffer - BAREPROF_BLOCK_OVERHEAD) & ~15u;
	struct forecast forecast = {0};
	uint64_t index = 1;
	uint64_t begin = 3 + 1 + uleb(check->version_word >> 32);
	size_t i;

	/*
	 * BEGIN also has a nonce, the generation, the span, and the number of streams. The nonce has its maximum length
	 * here, and the generation is 0.
	 */
	begin += uleb(check->records.width == 4 ? UINT32_MAX : UINT64_MAX) + 1 + uleb(span) + 1;
	for (i = 0; i < count; i++)
		begin += 1 + uleb(streams[i].size);
	begin += uleb(check->extent[SECTION_COUNTERS].address) + uleb(check->build_id) + check->build_id;
	add_block(&forecast, 0, begin);
	for (i = 0; i < count; i++) {
		uint64_t offset;

		for (offset = 0; offset < streams[i].size; offset += span, index++) {
			uint64_t raw = streams[i].size - offset < span ? streams[i].size - offset : span;
			uint64_t coded = streams[i].number ? zeros_coded(raw / streams[i].number) : raw;

			add_block(&forecast, index, 1 + coded);
		}
	}
	add_block(&forecast, index, 0);
	return forecast;
}

struct estimate check_estimate(const struct check *check)
{
	bool bytes = check->version_word & BAREPROF_VARIANT_BYTE_COVERAGE;
	struct stream_size streams[2] = {{0, 0}, {0, 0}};
	struct estimate estimate = {0};
	size_t i;

	if (!check->layout_known)
		return estimate;
	/*
	 * A section without content in the file can have any size in its header. If a section has 4 GiB or more, there
	 * is no estimate.
	 */
	for (i = 0; i < SECTIONS; i++)
		if (check->extent[i].size > UINT32_MAX)
			return estimate;
	estimate.profraw = profraw(check);
	streams[0].size = estimate.profraw;
	estimate.whole = forecast(check, streams, 1, BAREPROF_BLOCK_MIN);
	streams[0].size = check->extent[SECTION_COUNTERS].size;
	streams[1].size = check->extent[SECTION_BITMAPS].size;
	estimate.counters_max = forecast(check, streams, 2, ESTIMATE_BUFFER);
	streams[0].number = bytes ? 1 : 8;
	streams[1].number = 1;
	estimate.counters_min = forecast(check, streams, 2, ESTIMATE_BUFFER);
	return estimate;
}
