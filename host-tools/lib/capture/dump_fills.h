/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_fills.h - a dump that was sent more than once: blocks of an earlier sending fill
 * the gaps of the last one (docs/SPEC.md, 1.9).
 */
#ifndef BAREPROF_HOST_DUMP_FILLS_H
#define BAREPROF_HOST_DUMP_FILLS_H

#include "stored_block.h"

struct dump_fills {
	size_t count; /* blocks that only an earlier sending has */
	uint64_t fell; /* if @count is not 0: index of a block whose counts are lower in the last sending; 0: none */
};

/*
 * dump_fills_find - fills in *@fills for the dump of the @count blocks @block. They are in order
 * of index and, for one index, as they came; none was dropped yet. @payloads has their payloads.
 */
void dump_fills_find(struct dump_fills *fills, const struct stored_block *block, size_t count, const uint8_t *payloads);

#endif
