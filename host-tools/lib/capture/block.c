/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block.c - reads one block and its payload. The checksum is checked before any field is used.
 * Lengths are checked even if the checksum is right.
 */
#include "block.h"

#include <bareprof/capture.h>

/* The maximum number of bytes that type, image, index, tag and length have together. */
#define FIELDS_MAX (1 + 10 + 10 + 4 + 10)

/* Reads the fields before the payload. Returns the length of the payload. */
static uint64_t read_start(struct block *block, struct cursor *cursor)
{
	uint64_t image;

	block->type = (uint8_t)take_fixed(cursor, 1);
	image = take_uleb(cursor);
	block->index = take_uleb(cursor);
	block->tag = (uint32_t)take_fixed(cursor, 4);
	block->image = (uint32_t)image;
	cursor->failed |= image > UINT16_MAX;
	return take_uleb(cursor);
}

/* Reads everything except the checksum. Returns false if the block does not fit into @bytes. */
static bool read_fields(struct block *block, struct bytes bytes)
{
	struct cursor cursor = cursor_of(bytes);

	block->payload = take_bytes(&cursor, read_start(block, &cursor));
	take_fixed(&cursor, 4);
	block->size = bytes.size - (size_t)(cursor.end - cursor.at);
	return !cursor.failed;
}

size_t block_announced(struct bytes bytes)
{
	struct cursor cursor = cursor_of(bytes);
	struct block block;
	uint64_t payload = read_start(&block, &cursor);
	uint64_t size = bytes.size - (size_t)(cursor.end - cursor.at) + payload + 4;

	if (bytes.size && (block.type < BAREPROF_BLOCK_BEGIN || block.type > BAREPROF_BLOCK_END))
		return 0;
	if (cursor.failed)
		return bytes.size < FIELDS_MAX ? SIZE_MAX : 0;
	return payload < BAREPROF_BLOCK_MAX && size <= BAREPROF_BLOCK_MAX ? (size_t)size : 0;
}

size_t block_claim(struct bytes bytes)
{
	struct block block;

	return read_fields(&block, bytes) ? block.size : 0;
}

bool block_read(struct block *block, struct bytes bytes)
{
	size_t covered;

	if (!read_fields(block, bytes))
		return false;
	covered = block->size - 4;
	if (bareprof_crc32c(0, bytes.data, covered) != load_uint(bytes.data + covered, 4, false))
		return false;
	/* The tag of a BEGIN block is the checksum of its payload. */
	return block->type != BAREPROF_BLOCK_BEGIN ||
	       bareprof_crc32c(0, block->payload.data, block->payload.size) == block->tag;
}

static void add_fixed(struct buffer *out, uint64_t value, unsigned int width)
{
	uint8_t bytes[8];

	store_uint(bytes, value, width, false);
	buffer_add(out, bytes, width);
}

void block_write(struct buffer *out, const struct block *block)
{
	size_t start = out->size;

	add_fixed(out, block->type, 1);
	buffer_add_uleb(out, block->image);
	buffer_add_uleb(out, block->index);
	add_fixed(out, block->tag, 4);
	buffer_add_uleb(out, block->payload.size);
	buffer_add(out, block->payload.data, block->payload.size);
	add_fixed(out, bareprof_crc32c(0, out->data + start, out->size - start), 4);
}

/* Reads a ULEB128 number. Fails if it is above @max. */
static uint64_t take_uleb_max(struct cursor *cursor, uint64_t max)
{
	uint64_t value = take_uleb(cursor);

	cursor->failed |= value > max;
	return value;
}

/*
 * Reads how many streams the capture has, then the number and the size of each stream. Fails if the
 * stream numbers do not ascend.
 */
static void read_streams(struct streams *streams, struct cursor *cursor)
{
	unsigned int before = 0;
	uint64_t i;

	streams->count = take_uleb(cursor);
	for (i = 0; i < streams->count && !cursor->failed; i++) {
		struct stream stream;

		stream.number = (uint8_t)take_uleb_max(cursor, UINT8_MAX);
		stream.size = take_uleb(cursor);
		cursor->failed |= i && stream.number <= before;
		before = stream.number;
		if (i < STREAMS_MAX)
			streams->stream[i] = stream;
	}
	cursor->failed |= !streams->count;
}

bool begin_read(struct begin *begin, struct bytes payload)
{
	struct cursor cursor = cursor_of(payload);

	*begin = (struct begin){0};
	begin->format = take_uleb(&cursor);
	if (cursor.failed || begin->format != BAREPROF_WIRE_VERSION)
		return !cursor.failed;
	begin->width = (uint8_t)take_uleb_max(&cursor, UINT8_MAX);
	begin->order = (uint8_t)take_uleb_max(&cursor, UINT8_MAX);
	begin->version = take_uleb_max(&cursor, UINT32_MAX);
	begin->version |= take_uleb_max(&cursor, UINT32_MAX) << 32;
	begin->nonce = take_uleb(&cursor);
	begin->generation = take_uleb(&cursor);
	begin->span = take_uleb(&cursor);
	read_streams(&begin->streams, &cursor);
	begin->address = take_uleb(&cursor);
	begin->id = take_bytes(&cursor, take_uleb(&cursor));
	return !cursor.failed && begin->span && (begin->width == 4 || begin->width == 8) &&
	       (begin->order == BAREPROF_ORDER_LITTLE || begin->order == BAREPROF_ORDER_BIG);
}

bool data_read(struct data *data, struct bytes payload)
{
	struct cursor cursor = cursor_of(payload);

	data->coding = (uint8_t)take_fixed(&cursor, 1);
	data->coded = take_bytes(&cursor, (uint64_t)(cursor.end - cursor.at));
	return !cursor.failed;
}

bool uniform_read(struct uniform *uniform, struct bytes coded)
{
	struct cursor cursor = cursor_of(coded);

	uniform->value = (uint8_t)take_fixed(&cursor, 1);
	uniform->count = (uint8_t)take_fixed(&cursor, 1);
	return !cursor.failed && cursor.at == cursor.end && uniform->count && uniform->count <= BAREPROF_UNIFORM_MAX;
}

unsigned int block_count(const struct block *block)
{
	struct data data;
	struct uniform uniform;

	if (block->type != BAREPROF_BLOCK_DATA || !data_read(&data, block->payload) ||
		data.coding != BAREPROF_CODING_UNIFORM || !uniform_read(&uniform, data.coded))
		return 1;
	return uniform.count;
}
