/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture.c - blocks of any payload: BEGIN, DATA over fixed ranges, END. The
 * format is docs/SPEC.md, part 1.
 */
#include "blocks.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ORDER     BAREPROF_ORDER_BIG
#define LITTLE(x) __builtin_bswap32(x)
#else
#define ORDER     BAREPROF_ORDER_LITTLE
#define LITTLE(x) (x)
#endif

uint8_t *bareprof_put(uint8_t *p, const size_t *number, unsigned int n)
{
	do {
		size_t value = *number++;

		for (; value >= 0x80; value >>= 7)
			*p++ = (uint8_t)(value | 0x80);
		*p++ = (uint8_t)value;
	} while (--n);
	return p;
}
struct unaligned_32 {
	uint32_t value;
} __attribute__((packed, may_alias));

static void put_32(uint8_t *p, uint32_t value)
{
	((struct unaligned_32 *)p)->value = LITTLE(value);
}

static uint8_t *put_begin(const struct bareprof_capture *capture, uint8_t *p)
{
	const struct bareprof_span *id = &capture->image->section[BAREPROF_BUILD_ID];

	p[0] = BAREPROF_WIRE_VERSION;
	p[1] = sizeof(uintptr_t);
	p[2] = ORDER;
	put_32(p + 3, (uint32_t)capture->image->version);
	put_32(p + 7, (uint32_t)(capture->image->version >> 32));
	put_32(p + 11, capture->nonce[0]);
	put_32(p + 15, capture->nonce[1]);
	p = bareprof_put(p + 19, &capture->generation, 5 + 2 * (unsigned int)capture->streams[0]);
	bareprof_copy(p, id->start, id->size);
	return p + id->size;
}

int bareprof_capture_begin(struct bareprof_capture *capture, void *buf, size_t size)
{
	const struct bareprof_span *section = capture->image->section;
	size_t *number = capture->streams;
	uint32_t blocks = 1;
	size_t n;

	if (size > BAREPROF_BUFFER_MAX)
		size = BAREPROF_BUFFER_MAX;
	if (size < BAREPROF_BLOCK_MIN - 32 + section[BAREPROF_BUILD_ID].size)
		return BAREPROF_E_ROOM;
	capture->span = (size - BAREPROF_BLOCK_OVERHEAD) & ~(size_t)7;
	for (n = *number; n; n--) {
		intptr_t left;

		number += 2;
		capture->last = blocks;
		/* Counted, not divided: not every CPU divides. */
		for (left = (intptr_t)*number; left > 0; left -= (intptr_t)capture->span)
			blocks++;
	}
	number[1] = (uintptr_t)section[BAREPROF_CNTS].start;
	number[2] = section[BAREPROF_BUILD_ID].size;
	capture->blocks = blocks + 1;
	capture->tag = bareprof_crc32c(0, buf, (size_t)(put_begin(capture, buf) - (uint8_t *)buf));
	return BAREPROF_OK;
}

intptr_t bareprof_block(const struct bareprof_capture *capture, uint32_t index, void *buf, size_t size)
{
	uint8_t *start = buf;
	uint8_t *payload;
	uint8_t *p;
	size_t fields[2] = {capture->image->number, index};

	if (index >= capture->blocks)
		return BAREPROF_E_ARGUMENT;
	if (size < capture->span + BAREPROF_BLOCK_OVERHEAD)
		return BAREPROF_E_ROOM;

	payload = bareprof_put(start + 1, fields, 2);
	put_32(payload, capture->tag);
	payload += 6;
	if (!index) {
		*start = BAREPROF_BLOCK_BEGIN;
		p = put_begin(capture, payload);
	} else if (index < capture->blocks - 1) {
		*start = BAREPROF_BLOCK_DATA;
		p = capture->payload(capture, payload, index);
	} else {
		*start = BAREPROF_BLOCK_END;
		fields[1]--;
		p = bareprof_put(payload, fields + 1, 1);
		p = bareprof_put(p, capture->streams, 1 + 2 * (unsigned int)capture->streams[0]);
	}
	/* Known only now, so it takes two bytes whatever it is. */
	size = (size_t)(p - payload);
	payload[-2] = (uint8_t)(size | 0x80);
	payload[-1] = (uint8_t)(size >> 7);
	/* After the counters were read: a capture of before a reset is stale. */
	if (capture->generation != capture->image->generation)
		return BAREPROF_E_STALE;
	put_32(p, bareprof_crc32c(0, buf, (size_t)(p - start)));
	return p + 4 - start;
}
