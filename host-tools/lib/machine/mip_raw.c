/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_raw.c - reads and writes raw machine profiles, and decodes the raw bytes of a function. */
#include "mip_raw.h"
#include "mip_header.h"
#include "mip_map_v8.h"

#include <inttypes.h>
#include <string.h>

/* Version 8: both words of a call entry have this value if the function was not called. */
#define V8_NEVER 0xffffffffu

static enum status bad_word(unsigned int word, const char *what, uint64_t value, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"has a damaged header: the %s at offset %u is %" PRIu64 HINT_FETCH_AGAIN, what, 8 * word, value);
}

/* The words of the header with the sizes and the addresses of the raw sections. */
static const uint8_t size_words[MIP_SECTIONS] = {BAREPROF_MIP_RAW_COVERAGE_SIZE, BAREPROF_MIP_RAW_CALLS_SIZE,
	BAREPROF_MIP_RAW_BLOCKS_SIZE, BAREPROF_MIP_RAW_SAMPLES_SIZE};
static const uint8_t address_words[MIP_SECTIONS] = {BAREPROF_MIP_RAW_COVERAGE_ADDRESS, BAREPROF_MIP_RAW_CALLS_ADDRESS,
	BAREPROF_MIP_RAW_BLOCKS_ADDRESS, BAREPROF_MIP_RAW_SAMPLES_ADDRESS};

uint32_t mip_raw_kinds(const struct mip_raw *raw)
{
	uint32_t kinds = 0;
	unsigned int i;

	for (i = 0; i < MIP_SECTIONS; i++)
		if (raw->section[i].size)
			kinds |= mip_section_kinds((enum mip_section)i);
	return kinds;
}

/* Sets *@words to the words of the header, whose size the word WIDTH has. Missing words become 0. */
static enum status read_words(uint64_t words[BAREPROF_MIP_RAW_WORD_COUNT], struct cursor *cursor, struct bytes bytes,
	bool big, struct error *error)
{
	uint64_t size = 8 * BAREPROF_MIP_RAW_FIRST_WORDS;
	struct bytes header;
	unsigned int i;

	memset(words, 0, BAREPROF_MIP_RAW_HEADER);
	if (bytes.size >= size)
		size = load_uint(bytes.data + 8 * BAREPROF_MIP_RAW_WIDTH, 8, big) >> 32;
	header = take_bytes(cursor, size);
	if (!cursor->failed && size != 8 * BAREPROF_MIP_RAW_FIRST_WORDS && size != BAREPROF_MIP_RAW_HEADER)
		return bad_word(BAREPROF_MIP_RAW_WIDTH, "size of the header", size, error);
	if (cursor->failed)
		return error_set(error, STATUS_INVALID_INPUT,
			"ends at offset %zu, within the header of %" PRIu64 " bytes" HINT_FETCH_AGAIN, bytes.size,
			size);
	for (i = 0; i < size / 8; i++)
		words[i] = load_uint(header.data + 8 * (size_t)i, 8, big);
	return STATUS_OK;
}

static enum status read_v9(struct mip_raw *raw, struct bytes bytes, struct error *error)
{
	struct cursor cursor = cursor_of(bytes);
	uint64_t words[BAREPROF_MIP_RAW_WORD_COUNT];
	enum status status = read_words(words, &cursor, bytes, raw->big, error);
	unsigned int i;

	if (status != STATUS_OK)
		return status;
	raw->width = (uint32_t)words[BAREPROF_MIP_RAW_WIDTH];
	raw->kinds = (uint32_t)words[BAREPROF_MIP_RAW_KINDS];
	if (raw->width != 4 && raw->width != 8)
		return bad_word(BAREPROF_MIP_RAW_WIDTH, "pointer width", raw->width, error);
	raw->id = mip_take_padded(&cursor, words[BAREPROF_MIP_RAW_ID_SIZE]);
	for (i = 0; i < MIP_SECTIONS; i++) {
		raw->section[i] = mip_take_padded(&cursor, words[size_words[i]]);
		raw->address[i] = words[address_words[i]];
	}
	if (cursor.failed || cursor.at != cursor.end)
		return error_set(error, STATUS_INVALID_INPUT,
			"has %zu bytes, which do not fit its header (%" PRIu64 " bytes of build id, %" PRIu64
			" coverage bytes, %" PRIu64 " bytes of call entries, %" PRIu64 " block bytes and %" PRIu64
			" bytes of samples, each filled up with zeros to a multiple of 8)" HINT_FETCH_AGAIN,
			bytes.size, words[BAREPROF_MIP_RAW_ID_SIZE], words[BAREPROF_MIP_RAW_COVERAGE_SIZE],
			words[BAREPROF_MIP_RAW_CALLS_SIZE], words[BAREPROF_MIP_RAW_BLOCKS_SIZE],
			words[BAREPROF_MIP_RAW_SAMPLES_SIZE]);
	if (words[BAREPROF_MIP_RAW_KINDS] != mip_raw_kinds(raw))
		return bad_word(BAREPROF_MIP_RAW_KINDS, "word of kinds", words[BAREPROF_MIP_RAW_KINDS], error);
	return STATUS_OK;
}

static enum status read_v8(struct mip_raw *raw, struct bytes bytes, struct error *error)
{
	struct mip_v8_header header;
	enum status status = mip_v8_read(&header, bytes, error);

	if (status != STATUS_OK)
		return status;
	raw->kinds = header.kinds;
	raw->module = header.module;
	raw->section[mip_section_of(header.kinds)] = bytes;
	return STATUS_OK;
}

enum status mip_raw_read(struct mip_raw *raw, struct bytes bytes, struct error *error)
{
	struct mip_start start;
	enum status status = mip_start_expect(&start, bytes, BAREPROF_MIP_TYPE_RAW, error);

	if (status != STATUS_OK)
		return status;
	*raw = (struct mip_raw){.version = start.version, .big = start.big};
	return start.version == BAREPROF_MIP_V8 ? read_v8(raw, bytes, error) : read_v9(raw, bytes, error);
}

void mip_raw_write(struct buffer *out, const struct mip_raw *raw)
{
	/* The targets whose runtime has neither blocks nor samples write the short header, which older readers know. */
	bool is_short = !raw->section[MIP_BLOCKS].size && !raw->section[MIP_SAMPLES].size;
	unsigned int count = is_short ? BAREPROF_MIP_RAW_FIRST_WORDS : BAREPROF_MIP_RAW_WORD_COUNT;
	uint64_t words[BAREPROF_MIP_RAW_WORD_COUNT] = {
		[BAREPROF_MIP_RAW_MAGIC] =
			BAREPROF_MIP_MAGIC | (uint64_t)BAREPROF_MIP_V9 << 32 | (uint64_t)BAREPROF_MIP_TYPE_RAW << 48,
		[BAREPROF_MIP_RAW_KINDS] = raw->kinds,
		[BAREPROF_MIP_RAW_WIDTH] = raw->width | (uint64_t)(8 * count) << 32,
		[BAREPROF_MIP_RAW_ID_SIZE] = raw->id.size,
	};
	unsigned int i;

	for (i = 0; i < MIP_SECTIONS; i++) {
		words[size_words[i]] = raw->section[i].size;
		words[address_words[i]] = raw->address[i];
	}
	for (i = 0; i < count; i++) {
		uint8_t word[8];

		store_uint(word, words[i], 8, raw->big);
		buffer_add(out, word, 8);
	}
	buffer_add(out, raw->id.data, raw->id.size);
	mip_pad(out);
	for (i = 0; i < MIP_SECTIONS; i++) {
		buffer_add(out, raw->section[i].data, raw->section[i].size);
		mip_pad(out);
	}
}

static const uint8_t *raw_bytes(const struct mip_raw *raw, const struct mip_function *function)
{
	uint64_t offset = raw->version == BAREPROF_MIP_V8 ? function->raw_v8 : function->raw;

	return raw->section[mip_section_of(function->kinds)].data + offset;
}

/*
 * Looks at the blocks. In version 8, the bytes of the blocks follow the other raw bytes of the function, @bytes. If the
 * function has no other raw bytes, it ran if one of its blocks did.
 */
static void look_at_blocks(
	struct mip_seen *seen, const struct mip_raw *raw, const struct mip_function *function, const uint8_t *bytes)
{
	uint32_t i;

	seen->inverted = raw->version == BAREPROF_MIP_V8;
	if (seen->inverted) {
		seen->blocks = bytes + (function->kinds & BAREPROF_MIP_KIND_CALLS ? BAREPROF_MIP_CALLS_SIZE : 1) - 1;
		return;
	}
	seen->block_start = function->kinds & BAREPROF_MIP_KIND_FULL ? BAREPROF_MIP_BLOCKS_START : 0;
	seen->blocks = raw->section[MIP_BLOCKS].data + function->block_raw;
	if (mip_kinds_without_blocks(function->kinds))
		return;
	seen->ran = seen->blocks[0] != seen->block_start;
	for (i = 0; i < function->block_count; i++)
		seen->ran |= mip_seen_block(seen, function, i);
}

static enum status bad_entry(const struct mip_function *function, uint32_t count, uint32_t order, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"has an impossible call entry for the function '%.*s' (count 0x%" PRIx32 ", order 0x%" PRIx32
		"): the entries were not set to their start value before the image ran; call the start function of the "
		"runtime, or load the section '" BAREPROF_MIP_SECTION_CALLS "'",
		mip_shown_size(function), (const char *)function->name.data, count, order);
}

/*
 * Looks at an entry of the mode "calls,sample=N". If the dump was made while a sample was taken, the count is too low
 * by one distance, and may even be below 1.
 */
static enum status look_at_samples(struct mip_seen *seen, const struct mip_raw *raw, const uint8_t *bytes,
	const struct mip_function *function, struct error *error)
{
	uint32_t count = (uint32_t)load_uint(bytes + BAREPROF_MIP_CALLS_COUNT, 4, raw->big);
	uint32_t order = (uint32_t)load_uint(bytes + BAREPROF_MIP_CALLS_ORDER, 4, raw->big);
	uint64_t calls =
		load_uint(bytes + BAREPROF_MIP_CALLS_DRAWN, 8, raw->big) + (uint64_t)(int64_t)(int32_t)count + 2;

	if (order == BAREPROF_MIP_ORDER_NONE) {
		seen->ran = calls != 0;
	} else {
		seen->ran = true;
		seen->order = order;
		if (!order || order > BAREPROF_MIP_ORDER_MAX)
			return bad_entry(function, count, order, error);
	}
	seen->at_least = seen->ran && (int64_t)calls < 1;
	seen->calls = seen->at_least ? 1 : calls;
	return STATUS_OK;
}

static enum status look_at_calls(struct mip_seen *seen, const struct mip_raw *raw, const uint8_t *bytes,
	const struct mip_function *function, struct error *error)
{
	uint32_t count = (uint32_t)load_uint(bytes + BAREPROF_MIP_CALLS_COUNT, 4, raw->big);
	uint32_t order = (uint32_t)load_uint(bytes + BAREPROF_MIP_CALLS_ORDER, 4, raw->big);

	if (raw->version == BAREPROF_MIP_V8) {
		if ((count == V8_NEVER) != (order == V8_NEVER) || !count)
			return bad_entry(function, count, order, error);
		seen->ran = count != V8_NEVER;
		seen->calls = seen->ran ? count : 0;
		seen->order = seen->ran ? order : 0;
		return STATUS_OK;
	}
	if (order == BAREPROF_MIP_ORDER_NONE) {
		/* If the count changed, the dump was made within the first call, or two CPUs made the first call. */
		seen->ran = count != UINT32_MAX;
		seen->calls = seen->ran ? (uint64_t)count + 1 : 0;
		return STATUS_OK;
	}
	seen->ran = true;
	seen->order = order & BAREPROF_MIP_ORDER_MASK;
	seen->calls =
		(uint64_t)count + 1 + (uint64_t)(order >> BAREPROF_MIP_OVERFLOW_SHIFT) * BAREPROF_MIP_OVERFLOW_CALLS;
	seen->at_least = order >> BAREPROF_MIP_OVERFLOW_SHIFT == BAREPROF_MIP_OVERFLOW_MAX;
	if (!seen->order || seen->order > BAREPROF_MIP_ORDER_MAX)
		return bad_entry(function, count, order, error);
	return STATUS_OK;
}

enum status mip_raw_look(
	struct mip_seen *seen, const struct mip_raw *raw, const struct mip_function *function, struct error *error)
{
	const uint8_t *bytes;
	enum status status = STATUS_OK;

	*seen = (struct mip_seen){0};
	if (!function->kinds)
		return STATUS_OK;
	bytes = raw_bytes(raw, function);
	if (function->kinds & BAREPROF_MIP_KIND_BLOCKS)
		look_at_blocks(seen, raw, function, bytes);
	if (function->kinds & BAREPROF_MIP_KIND_RETURNS && raw->version != BAREPROF_MIP_V8)
		status = look_at_samples(seen, raw, bytes, function, error);
	else if (function->kinds & BAREPROF_MIP_KIND_CALLS)
		status = look_at_calls(seen, raw, bytes, function, error);
	else if (function->kinds & BAREPROF_MIP_KIND_COVERAGE || raw->version == BAREPROF_MIP_V8)
		seen->ran = raw->version == BAREPROF_MIP_V8 ? !*bytes : *bytes != function->start;
	return status;
}

/* Writes the bytes of version 8 at @at. They are 0xff before. */
static void write_seen_v8(uint8_t *at, const struct mip_function *function, const struct mip_seen *seen)
{
	bool counts = function->kinds & BAREPROF_MIP_KIND_CALLS;
	uint8_t *blocks = at + (counts ? BAREPROF_MIP_CALLS_SIZE : 1);
	uint32_t i;

	if (seen->ran && counts) {
		/* Version 8 has 32 bits for the number of calls, and no mark for an unknown order. */
		store_uint(at, seen->calls < V8_NEVER ? seen->calls : V8_NEVER - 1, 4, false);
		store_uint(at + 4, seen->order, 4, false);
	} else if (seen->ran) {
		*at = 0;
	}
	for (i = 0; i < function->block_count; i++)
		if (mip_seen_block(seen, function, i))
			blocks[i] = 0;
}

enum status mip_raw_v8_write(
	struct buffer *out, const struct mip_raw *raw, const struct mip_profile *profile, struct error *error)
{
	enum status status = mip_v8_possible(profile, error);
	size_t first = out->size;
	size_t i;

	if (status != STATUS_OK)
		return status;
	mip_v8_write(out, BAREPROF_MIP_TYPE_RAW, mip_v8_kinds(profile), profile->module);
	buffer_reserve(out, profile->size_v8 - BAREPROF_MIP_V8_HEADER);
	memset(out->data + out->size, 0xff, profile->size_v8 - BAREPROF_MIP_V8_HEADER);
	out->size = first + (size_t)profile->size_v8;
	for (i = 0; i < profile->count && status == STATUS_OK; i++) {
		const struct mip_function *function = &profile->functions[i];
		struct mip_seen seen;

		status = mip_raw_look(&seen, raw, function, error);
		if (status == STATUS_OK && function->kinds)
			write_seen_v8(out->data + first + function->raw_v8, function, &seen);
	}
	return status;
}
