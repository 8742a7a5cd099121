/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block.h - one block of a capture, and the payloads that a block can have (docs/SPEC.md, 1.1 to
 * 1.5). All slices point into the bytes that were read.
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
	size_t size; /* size of the whole block in bytes */
};

/*
 * block_read - reads the block at the start of @bytes. Returns false if no block starts there or
 * its checksum is wrong.
 */
bool block_read(struct block *block, struct bytes bytes);

/*
 * block_announced - returns the complete size of the block whose first bytes are @bytes. Returns 0 if no block can
 * start with @bytes. Returns SIZE_MAX if @bytes are too short to contain the size.
 */
size_t block_announced(struct bytes bytes);

/*
 * block_claim - returns the size of the block at the start of @bytes, without checking its
 * checksum. Returns 0 if @bytes end before the block does.
 */
size_t block_claim(struct bytes bytes);

/* block_write - appends @block to @out in the form that a capture file has. */
void block_write(struct buffer *out, const struct block *block);

/*
 * One more than the number of known streams. If a BEGIN block has more streams than this, streams.count is the number
 * of all streams, but streams.stream[] has only the first STREAMS_MAX of them.
 */
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
	uint64_t format; /* wire version; if it is unknown, begin_read() sets no other field */
	uint8_t width; /* pointer width of the target in bytes */
	uint8_t order; /* BAREPROF_ORDER_* */
	uint64_t version; /* version word */
	uint64_t nonce;
	uint64_t generation;
	uint64_t span;
	struct streams streams;
	uint64_t address; /* address of the counters */
	struct bytes id;
};

/* The payload of a DATA block. */
struct data {
	uint8_t coding; /* BAREPROF_CODING_* */
	struct bytes coded;
};

/* begin_read, data_read - read the payload of a BEGIN or DATA block. They return false if the payload is malformed. */
bool begin_read(struct begin *begin, struct bytes payload);
bool data_read(struct data *data, struct bytes payload);

/* The coded bytes of a uniform block, which stands for one or more blocks. All raw bytes of these blocks are @value. */
struct uniform {
	uint8_t value;
	uint8_t count; /* number of blocks for which the uniform block stands, from 1 to BAREPROF_UNIFORM_MAX */
};

/*
 * uniform_read - reads the coded bytes of a uniform block. Returns false if they are malformed.
 * block_count - returns the number of blocks for which @block stands. It is above 1 only for uniform blocks.
 */
bool uniform_read(struct uniform *uniform, struct bytes coded);
unsigned int block_count(const struct block *block);

#endif
