/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * make.c - makes profiles and captures for tests. Some of them are correct, and others contain mistakes on purpose.
 */
#include "make.h"
#include "md5.h"

#include <bareprof/capture.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(struct buffer *out, uint64_t value, unsigned int width)
{
	while (width--) {
		uint8_t byte = (uint8_t)value;

		buffer_add(out, &byte, 1);
		value >>= 8;
	}
}

static void put_uleb(struct buffer *out, uint64_t value)
{
	do {
		uint8_t byte = (uint8_t)(value & 0x7f);

		value >>= 7;
		if (value)
			byte |= 0x80;
		buffer_add(out, &byte, 1);
	} while (value);
}

uint64_t make_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

static unsigned int counters_of(unsigned int function)
{
	return 1 + function % 5;
}

static void put_record(struct buffer *out, unsigned int function, uint64_t counter_offset)
{
	char *name = format("function_%u", function);
	size_t start = out->size;
	const unsigned int v = 10;
	const unsigned int w = 8;

	put(out, md5_low((struct bytes){(const uint8_t *)name, strlen(name)}), 8);
	put(out, 0x1000 + function, 8);
	put(out, counter_offset, w);
	while (out->size < start + BAREPROF_RECORD_SIZE(v, w))
		put(out, out->size == start + BAREPROF_RECORD_NUM_COUNTERS(v, w) ? counters_of(function) : 0, 4);
	free(name);
}

static void pad(struct buffer *out)
{
	while (out->size % 8)
		buffer_add(out, "", 1);
}

void make_profile(struct buffer *profile, unsigned int functions, uint64_t seed)
{
	const unsigned int record = BAREPROF_RECORD_SIZE(10u, 8u);
	uint64_t header[BAREPROF_HEADER_MAX] = {0};
	struct buffer names = {0};
	struct buffer section = {0};
	uint64_t counters = 0;
	uint64_t offset;
	unsigned int i;

	for (i = 0; i < functions; i++) {
		buffer_printf(&names, "%sfunction_%u", i ? "\1" : "", i);
		counters += counters_of(i);
	}
	put_uleb(&section, names.size);
	put_uleb(&section, 0);
	buffer_add(&section, names.data, names.size);
	header[BAREPROF_HEADER_MAGIC] = BAREPROF_RAW_MAGIC_64;
	header[BAREPROF_HEADER_VERSION] = 10;
	header[BAREPROF_HEADER_BINARY_IDS_SIZE] = 16;
	header[BAREPROF_HEADER_NUM_DATA] = functions;
	header[BAREPROF_HEADER_NUM_COUNTERS] = counters;
	header[BAREPROF_HEADER_NAMES_SIZE] = section.size;
	header[BAREPROF_HEADER_COUNTERS_DELTA] = (uint64_t)functions * record;
	header[BAREPROF_HEADER_VALUE_KIND_LAST] = 2;
#define PUT(name, since)                                                                                               \
	if ((since) <= 10)                                                                                             \
		put(profile, header[BAREPROF_HEADER_##name], 8);
	BAREPROF_HEADER_WORDS(PUT)
#undef PUT
	put(profile, 8, 8);
	put(profile, 0x0123456789abcdefull, 8);
	offset = (uint64_t)functions * record;
	for (i = 0; i < functions; i++) {
		put_record(profile, i, offset);
		offset += counters_of(i) * 8;
		offset -= record; /* the pointer is relative to the record */
	}
	while (counters--)
		put(profile, make_random(&seed) % 1000, 8);
	buffer_add(profile, section.data, section.size);
	pad(profile);
	buffer_free(&names);
	buffer_free(&section);
}

void make_block(struct buffer *out, uint8_t type, uint32_t image, uint64_t index, uint32_t tag, struct bytes payload)
{
	size_t start = out->size;

	put(out, type, 1);
	put_uleb(out, image);
	put_uleb(out, index);
	put(out, tag, 4);
	put_uleb(out, payload.size);
	buffer_add(out, payload.data, payload.size);
	put(out, bareprof_crc32c(0, out->data + start, out->size - start), 4);
}

static void put_begin(struct buffer *out, struct bytes profile, struct make_options options)
{
	static const uint8_t id[8] = {0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01};
	const struct make_about own = {8, false, 10, {id, sizeof(id)}};
	const struct make_about *about = options.about ? options.about : &own;
	uint64_t version = options.version ? options.version : about->version;

	put_uleb(out, options.format ? options.format : 1);
	put_uleb(out, about->width);
	put_uleb(out, about->big ? BAREPROF_ORDER_BIG : BAREPROF_ORDER_LITTLE);
	put_uleb(out, (uint32_t)version);
	put_uleb(out, version >> 32);
	put_uleb(out, options.nonce);
	put_uleb(out, 3);
	put_uleb(out, options.span);
	put_uleb(out, 1);
	put_uleb(out, BAREPROF_STREAM_PROFRAW);
	put_uleb(out, options.claimed_stream ? options.claimed_stream : profile.size);
	put_uleb(out, about->width == 8 ? 0xffff800000000000ull : 0x80000000u);
	put_uleb(out, about->id.size);
	buffer_add(out, about->id.data, about->id.size);
	buffer_add(out, "more", 4); /* A later version of the wire format may have more fields, which readers ignore. */
}

void make_dump(struct made *made, struct bytes profile, struct make_options options)
{
	struct buffer payload = {0};
	unsigned int index = 0;
	size_t offset;

	memset(made, 0, sizeof(*made));
	if (!options.span)
		options.span = 64;
	put_begin(&payload, profile, options);
	made->tag = bareprof_crc32c(0, payload.data, payload.size);
	make_block(&made->block[index++], BAREPROF_BLOCK_BEGIN, options.image, 0, made->tag,
		(struct bytes){payload.data, payload.size});
	for (offset = 0; offset < profile.size; offset += options.span, index++) {
		size_t raw = profile.size - offset < options.span ? profile.size - offset : options.span;

		raw -= index == options.bad_raw;
		payload.size = 0;
		put(&payload, BAREPROF_CODING_STORED, 1);
		buffer_add(&payload, profile.data + offset, raw);
		make_block(&made->block[index], BAREPROF_BLOCK_DATA, options.image, index, made->tag,
			(struct bytes){payload.data, payload.size});
	}
	index += options.bad_end;
	make_block(&made->block[index], BAREPROF_BLOCK_END, options.image, index, made->tag, (struct bytes){NULL, 0});
	made->count = index + 1;
	buffer_free(&payload);
}

void made_free(struct made *made)
{
	unsigned int i;

	for (i = 0; i < made->count; i++)
		buffer_free(&made->block[i]);
}

void make_text(struct buffer *out, const struct buffer *block, const char *prefix, const char *line_end)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint64_t bits = 0;
	unsigned int have = 0;
	size_t i;

	buffer_add_text(out, prefix);
	buffer_add_text(out, BAREPROF_TEXT_MARKER);
	for (i = 0; i < block->size; i++) {
		bits = bits << 8 | block->data[i];
		for (have += 8; have >= 6; have -= 6)
			buffer_add(out, &digits[bits >> (have - 6) & 63], 1);
	}
	if (have)
		buffer_add(out, &digits[bits << (6 - have) & 63], 1);
	buffer_add_text(out, line_end);
}

void make_frame(struct buffer *out, const struct buffer *block)
{
	size_t code_at;
	size_t i;

	buffer_add(out, "", 1);
	code_at = out->size;
	buffer_add(out, "\1", 1);
	for (i = 0; i < block->size; i++) {
		if (block->data[i]) {
			buffer_add(out, &block->data[i], 1);
			out->data[code_at]++;
		}
		if (!block->data[i] || (out->data[code_at] == 255 && i + 1 < block->size)) {
			code_at = out->size;
			buffer_add(out, "\1", 1);
		}
	}
	buffer_add(out, "", 1);
}
