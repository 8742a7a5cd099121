/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture.c - a dump as blocks: BEGIN, DATA over fixed ranges, END. The format
 * is docs/SPEC.md, part 1.
 */
#include <bareprof/capture.h>

static uint8_t *put_fixed(uint8_t *p, uint64_t value, unsigned int bytes)
{
	while (bytes--) {
		*p++ = (uint8_t)value;
		value >>= 8;
	}
	return p;
}

static uint8_t *put_uleb(uint8_t *p, uint64_t value)
{
	while (value >= 0x80) {
		*p++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*p++ = (uint8_t)value;
	return p;
}

static uint8_t *put_begin(uint8_t *p, const struct bareprof_capture *capture)
{
	const struct bareprof_image *image = capture->dump->image;
	const struct bareprof_span *id = &image->section[BAREPROF_BUILD_ID];
	const uint16_t one = 1;
	unsigned int i;

	*p++ = BAREPROF_WIRE_VERSION;
	*p++ = sizeof(uintptr_t);
	*p++ = *(const uint8_t *)&one ? BAREPROF_ORDER_LITTLE : BAREPROF_ORDER_BIG;
	p = put_fixed(p, image->version, 8);
	p = put_fixed(p, capture->nonce, 8);
	p = put_uleb(p, image->generation);
	p = put_uleb(p, capture->span);
	p = put_uleb(p, capture->dump->size);
	*p++ = BAREPROF_SECTIONS - BAREPROF_DATA;
	for (i = BAREPROF_DATA; i < BAREPROF_SECTIONS; i++) {
		p = put_uleb(p, image->section[i].size);
		if (image->section[i].size)
			p = put_uleb(p, (uintptr_t)image->section[i].start);
	}
	p = put_uleb(p, id->size);
	bareprof_copy(p, id->start, id->size);
	return p + id->size;
}

/* Whether BEGIN may not fit: the smallest buffer is made for 32 bytes of build id. */
static int too_small(const struct bareprof_image *image, size_t size)
{
	return size < BAREPROF_BLOCK_MIN || size - (BAREPROF_BLOCK_MIN - 32) < image->section[BAREPROF_BUILD_ID].size;
}

int bareprof_capture_open(
	struct bareprof_capture *capture, const struct bareprof_dump *dump, uint64_t nonce, void *buf, size_t size)
{
	size_t left = dump->size;

	if (size > BAREPROF_BLOCK_MAX)
		size = BAREPROF_BLOCK_MAX;
	if (too_small(dump->image, size))
		return BAREPROF_E_ROOM;
	capture->dump = dump;
	capture->nonce = nonce;
	capture->span = (uint32_t)(size - BAREPROF_BLOCK_OVERHEAD) & ~7u;
	/* Counted, not divided: not every CPU divides. */
	for (capture->blocks = 2; left; capture->blocks++)
		left -= left < capture->span ? left : capture->span;
	capture->tag = bareprof_crc32c(0, buf, (size_t)(put_begin(buf, capture) - (uint8_t *)buf));
	return BAREPROF_OK;
}

/* The payload of block @index, but for the raw bytes of a DATA block. */
static uint8_t *put_payload(
	uint8_t *p, const struct bareprof_capture *capture, uint32_t index, size_t offset, size_t raw)
{
	if (!index)
		return put_begin(p, capture);
	if (index + 1 < capture->blocks) {
		*p++ = BAREPROF_STREAM_PROFRAW;
		*p++ = BAREPROF_CODING_STORED;
		p = put_uleb(p, offset);
		return put_uleb(p, raw);
	}
	p = put_uleb(p, capture->blocks - 2);
	*p++ = 1;
	*p++ = BAREPROF_STREAM_PROFRAW;
	return put_uleb(p, capture->dump->size);
}

intptr_t bareprof_block(const struct bareprof_capture *capture, uint32_t index, void *buf, size_t size)
{
	uint8_t *p = buf;
	uint8_t type = BAREPROF_BLOCK_DATA;
	size_t offset = (size_t)(index - 1) * capture->span;
	size_t raw = capture->span;
	intptr_t got;

	if (index >= capture->blocks)
		return BAREPROF_E_ARGUMENT;
	if (size < capture->span + BAREPROF_BLOCK_OVERHEAD || too_small(capture->dump->image, size))
		return BAREPROF_E_ROOM;
	if (!index || index + 1 == capture->blocks) {
		type = index ? BAREPROF_BLOCK_END : BAREPROF_BLOCK_BEGIN;
		raw = 0;
	} else if (raw > capture->dump->size - offset) {
		raw = capture->dump->size - offset;
	}

	/* Made twice: the payload's length stands before it. */
	size = (size_t)(put_payload(p, capture, index, offset, raw) - p) + raw;
	*p++ = type;
	p = put_uleb(p, capture->dump->image->number);
	p = put_uleb(p, index);
	p = put_fixed(p, capture->tag, 4);
	p = put_uleb(p, size);
	p = put_payload(p, capture, index, offset, raw);
	/* Also with nothing to read: a capture of before a reset is stale. */
	got = bareprof_read(capture->dump, offset, p, raw);
	if (got < 0)
		return got;
	p += raw;
	p = put_fixed(p, bareprof_crc32c(0, buf, (size_t)(p - (uint8_t *)buf)), 4);
	return p - (uint8_t *)buf;
}

int bareprof_send(const struct bareprof_capture *capture, void *buf, size_t size, bareprof_form form,
	bareprof_sink sink, void *context)
{
	uint32_t i;

	for (i = 0; i < capture->blocks; i++) {
		intptr_t n = bareprof_block(capture, i, buf, size);

		if (n < 0)
			return (int)n;
		if (form(buf, (size_t)n, sink, context))
			return BAREPROF_E_ABORTED;
		BAREPROF_YIELD();
	}
	return BAREPROF_OK;
}
