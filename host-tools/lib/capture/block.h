/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block.h - one block of a capture and its possible payloads (docs/SPEC.md, 1.1
 * to 1.5). All slices point into the bytes that were read.
 */
#ifndef BAREPROF_HOST_BLOCK_H
#define BAREPROF_HOST_BLOCK_H

#include "bytes.h"

struct block {
	uint8_t type;
	uint32_t image;
	uint64_t index;
	uint32_t tag;
	struct bytes payload;
	size_t size; /* of the whole block */
};

/* block_read - reads the block at the start of @bytes. Returns false if there is none with a right checksum. */
bool block_read(struct block *block, struct bytes bytes);

/*
 * block_announced - returns the complete size of a block whose first bytes are @bytes; 0 if no
 * block starts like that; SIZE_MAX if @bytes are too few to know.
 */
size_t block_announced(struct bytes bytes);

/*
 * block_claim - returns the size of the block at the start of @bytes without checking its checksum;
 * 0 if no block fits there.
 */
size_t block_claim(struct bytes bytes);

/* block_write - appends @block as in a capture file. */
void block_write(struct buffer *out, const struct block *block);

/* The number of known streams, plus 1. Further streams are only counted. */
#define STREAMS_MAX 6

struct stream {
	uint8_t number;
	uint64_t size;
};

struct streams {
	uint64_t count;
	struct stream stream[STREAMS_MAX];
};

/* The payload of a BEGIN block. */
struct begin {
	uint64_t format; /* if it is unknown, nothing else is filled in */
	uint8_t width; /* of a pointer, bytes */
	uint8_t order; /* BAREPROF_ORDER_* */
	uint64_t version; /* version word */
	uint64_t nonce;
	uint64_t generation;
	uint64_t span;
	struct streams streams;
	uint64_t address; /* of the counters */
	struct bytes id;
};

/* The payload of a DATA block. */
struct data {
	uint8_t coding; /* BAREPROF_CODING_* */
	struct bytes coded;
};

/* begin_read, data_read - read the payload of a BEGIN or DATA block. Return false if it is malformed. */
bool begin_read(struct begin *begin, struct bytes payload);
bool data_read(struct data *data, struct bytes payload);

#endif
