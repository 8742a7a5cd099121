/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_fills.h - a dump that was sent more than once: blocks that were sent earlier fill the gaps
 * in what was sent last (docs/SPEC.md, 1.9).
 */
#ifndef BAREPROF_HOST_DUMP_FILLS_H
#define BAREPROF_HOST_DUMP_FILLS_H

#include "stored_block.h"

struct dump_fills {
	size_t count; /* number of blocks that arrived only when the dump was sent earlier */
	uint64_t fell; /* if @count is not 0: index of a block with lower counts when the dump was sent last; 0: none */
};

/*
 * dump_fills_find - fills in *@fills for the dump of the @count blocks @block. The blocks are
 * sorted by index, and blocks with equal indexes by arrival. No block has been dropped yet.
 * @payloads has the payloads of the blocks.
 */
void dump_fills_find(struct dump_fills *fills, const struct stored_block *block, size_t count, const uint8_t *payloads);

#endif
