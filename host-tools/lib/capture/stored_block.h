/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stored_block.h - a block of a capture, after it was read.
 */
#ifndef BAREPROF_HOST_STORED_BLOCK_H
#define BAREPROF_HOST_STORED_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* A block. Its payload is in capture->payloads. */
struct stored_block {
	uint32_t image;
	uint32_t tag;
	uint64_t index;
	size_t order; /* position of the block among all blocks of the input */
	size_t offset; /* offset of the payload in capture->payloads */
	size_t size; /* size of the payload in bytes */
	uint8_t type;
};

#endif
