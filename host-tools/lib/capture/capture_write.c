/* SPDX-License-Identifier: BSD-2-Clause */
/* capture_write.c - writes the blocks of a capture (docs/SPEC.md, 1.1 to 1.5). */
#include "capture_write.h"
#include <bareprof/capture.h>

/* Raw bytes of a DATA block: a multiple of 16, and with the fields around them less than the largest block. */
#define SPAN 65472u

static void begin_write(
	struct buffer *payload, const struct begin *begin, const struct capture_stream *streams, size_t count)
{
	const uint64_t numbers[] = {BAREPROF_WIRE_VERSION, begin->width, begin->order, begin->version & UINT32_MAX,
		begin->version >> 32, begin->nonce, begin->generation, SPAN, count};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		buffer_add_uleb(payload, numbers[i]);
	for (i = 0; i < count; i++) {
		buffer_add_uleb(payload, streams[i].number);
		buffer_add_uleb(payload, streams[i].bytes.size);
	}
	buffer_add_uleb(payload, begin->address);
	buffer_add_uleb(payload, begin->id.size);
	buffer_add(payload, begin->id.data, begin->id.size);
}

static void write_data(struct buffer *out, struct block *block, struct bytes left)
{
	struct buffer payload = {0};

	while (left.size) {
		size_t size = left.size < SPAN ? left.size : SPAN;

		payload.size = 0;
		buffer_add(&payload, &(uint8_t){BAREPROF_CODING_STORED}, 1);
		buffer_add(&payload, left.data, size);
		block->payload = (struct bytes){payload.data, payload.size};
		block->index++;
		block_write(out, block);
		left.data += size;
		left.size -= size;
	}
	buffer_free(&payload);
}

void capture_write(struct buffer *out, const struct begin *begin, const struct capture_stream *streams, size_t count)
{
	struct block block = {.type = BAREPROF_BLOCK_BEGIN};
	struct buffer payload = {0};
	size_t i;

	begin_write(&payload, begin, streams, count);
	block.payload = (struct bytes){payload.data, payload.size};
	block.tag = bareprof_crc32c(0, payload.data, payload.size);
	buffer_add(out, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
	block_write(out, &block);
	buffer_free(&payload);
	block.type = BAREPROF_BLOCK_DATA;
	for (i = 0; i < count; i++)
		write_data(out, &block, streams[i].bytes);
	block.type = BAREPROF_BLOCK_END;
	block.payload = (struct bytes){NULL, 0};
	block.index++;
	block_write(out, &block);
}
