/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stored_block.h - a block of a capture that was read and kept.
 */
#ifndef BAREPROF_HOST_STORED_BLOCK_H
#define BAREPROF_HOST_STORED_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* A block kept: its payload is in capture->payloads. */
struct stored_block {
	uint32_t image;
	uint32_t tag;
	uint64_t index;
	size_t order;
	size_t offset;
	size_t size;
	uint8_t type;
};

#endif
