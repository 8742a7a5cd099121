/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * blocks.c - a mutator for fuzz targets that read captures. It finds the blocks in an input, changes one of them, and
 * writes all of them again with right checksums, as a capture file, text lines or frames.
 */
#include "fuzz.h"
#include "make.h"
#include "scan.h"

#include <bareprof/capture.h>
#include <stdlib.h>

#define BLOCKS_MAX 256u

struct found {
	struct block block;
	struct buffer payload;
};

struct blocks {
	struct found found[BLOCKS_MAX];
	size_t count;
};

static void keep_block(void *context, const struct block *block)
{
	struct blocks *blocks = context;
	struct found *found = &blocks->found[blocks->count];

	if (blocks->count == BLOCKS_MAX)
		return;
	blocks->count++;
	found->block = *block;
	buffer_add(&found->payload, block->payload.data, block->payload.size);
}

static void take_blocks(struct blocks *blocks, struct bytes bytes)
{
	struct scan scan = {.block = keep_block, .context = blocks};

	scan_bytes(&scan, bytes);
	scan_free(&scan);
}

/*
 * Gives a new tag to all blocks of the dump with the tag @old. The tag of a dump is the checksum of its BEGIN block's
 * payload.
 */
static void give_tags(struct blocks *blocks, uint32_t old, struct found *begin)
{
	size_t i;

	for (i = 0; i < blocks->count; i++)
		if (blocks->found[i].block.tag == old)
			blocks->found[i].block.tag = bareprof_crc32c(0, begin->payload.data, begin->payload.size);
}

static void change_block(struct blocks *blocks, struct dice *dice)
{
	struct found *found = &blocks->found[dice_throw(dice, blocks->count)];
	struct found *other = &blocks->found[dice_throw(dice, blocks->count)];
	struct found swapped = *found;
	struct buffer changed;

	switch (dice_throw(dice, 6)) {
	case 0:
		found->block.index = dice_number(dice, found->block.index, blocks->count);
		break;
	case 1:
		found->block.type = (uint8_t)(dice_throw(dice, 4) ? dice_throw(dice, 4) : dice_throw(dice, 256));
		break;
	case 2:
		*found = *other;
		*other = swapped;
		break;
	case 3:
		found->block.image = (uint32_t)dice_throw(dice, 3);
		break;
	default:
		changed =
			dice_bytes((struct bytes){found->payload.data, found->payload.size}, found->payload.size + 16);
		buffer_free(&found->payload);
		found->payload = changed;
		if (found->block.type == BAREPROF_BLOCK_BEGIN)
			give_tags(blocks, found->block.tag, found);
	}
}

static void send_all(struct buffer *out, const struct blocks *blocks, struct dice *dice)
{
	uint64_t form = dice_throw(dice, 3);
	size_t i;

	if (!form)
		buffer_add_text(out, BAREPROF_FILE_MAGIC);
	for (i = 0; i < blocks->count; i++) {
		const struct found *found = &blocks->found[i];
		struct buffer block = {0};

		make_block(&block, found->block.type, found->block.image, found->block.index, found->block.tag,
			(struct bytes){found->payload.data, found->payload.size});
		if (!form)
			buffer_add(out, block.data, block.size);
		else if (form == 1)
			make_frame(out, &block);
		else
			make_text(out, &block, dice_throw(dice, 8) ? "" : "[ 1.5] ", "\r\n");
		buffer_free(&block);
	}
}

size_t change_blocks(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct blocks *blocks;
	struct buffer out = {0};
	size_t i;

	if (dice_throw(&dice, 3) == 0)
		return LLVMFuzzerMutate(data, size, most);
	blocks = allocate(1, sizeof(*blocks));
	take_blocks(blocks, (struct bytes){data, size});
	if (blocks->count) {
		change_block(blocks, &dice);
		send_all(&out, blocks, &dice);
	}
	if (out.size && out.size <= most) {
		memcpy(data, out.data, out.size);
		size = out.size;
	} else {
		size = LLVMFuzzerMutate(data, size, most);
	}
	for (i = 0; i < blocks->count; i++)
		buffer_free(&blocks->found[i].payload);
	free(blocks);
	buffer_free(&out);
	return size;
}
