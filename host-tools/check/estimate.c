/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate.c - how long the dump of an image will be: the .profraw to the byte,
 * the capture for the smallest block buffer (docs/SPEC.md, 1.1 to 1.6).
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
	for (i = 0; i < PARTS; i++)
		size += i == PART_RECORDS ? 0 : padded(check->part[i].size);
	return size;
}

static void add_block(struct estimate *estimate, uint64_t index, uint64_t payload)
{
	uint64_t size = 1 + 1 + uleb(index) + 4 + uleb(payload) + payload + 4;

	estimate->text += 4 + (size * 4 + 2) / 3 + 2;
	estimate->frames += 2 + size + size / 254 + 1;
}

struct estimate check_estimate(const struct check *check)
{
	const uint64_t span = (BAREPROF_BLOCK_MIN - BAREPROF_BLOCK_OVERHEAD) & ~7u;
	struct estimate estimate = {0};
	uint64_t index = 1;
	uint64_t offset;
	uint64_t begin;
	size_t i;

	if (!check->learnt)
		return estimate;
	/* A section without content in the file can claim to be of any size. */
	for (i = 0; i < PARTS; i++)
		if (check->part[i].size > UINT32_MAX)
			return estimate;
	estimate.profraw = profraw(check);
	begin = 3 + 8 + 8 + 1 + uleb(span) + uleb(estimate.profraw) + 1 + uleb(check->build_id) + check->build_id;
	for (i = 0; i < PARTS; i++)
		begin += uleb(check->part[i].size) + (check->part[i].size ? uleb(check->part[i].address) : 0);
	add_block(&estimate, 0, begin);
	for (offset = 0; offset < estimate.profraw; offset += span, index++) {
		uint64_t raw = estimate.profraw - offset < span ? estimate.profraw - offset : span;

		add_block(&estimate, index, 2 + uleb(offset) + uleb(raw) + raw);
	}
	add_block(&estimate, index, uleb(index - 1) + 2 + uleb(estimate.profraw));
	return estimate;
}
