/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_fills.h - finds the blocks of a dump that was sent more than once. The dump consists of the blocks of its last
 * transmission. Blocks that are missing in the last transmission are taken from earlier transmissions (docs/SPEC.md,
 * 1.9).
 */
#ifndef BAREPROF_HOST_DUMP_FILLS_H
#define BAREPROF_HOST_DUMP_FILLS_H

#include "bytes.h"
#include "stored_block.h"

struct dump_fills {
	size_t count; /* number of blocks that arrived only in a transmission before the last one */
	/*
	 * index of a block whose counts are lower in a later transmission than in an earlier one.
	 * 0 means that no such block was found, or that the transmissions were not compared. They
	 * are compared only if @count is not 0 and the BEGIN block is valid.
	 */
	uint64_t fell;
	bool changed; /* counts changed between two transmissions; also only if the transmissions were compared */
};

/*
 * dump_fills_tell - appends text such as "1 block from an earlier transmission". There must be such blocks.
 * dump_fills_find - fills in *@fills for one dump. @block is an array of the dump's @count blocks, including all blocks
 * that were sent again. The array is sorted by index, and blocks with the same index are in the order of their
 * arrival. @payloads is the buffer that contains the payloads of the blocks.
 */
void dump_fills_tell(const struct dump_fills *fills, struct buffer *text);
void dump_fills_find(struct dump_fills *fills, const struct stored_block *block, size_t count, const uint8_t *payloads);

#endif
