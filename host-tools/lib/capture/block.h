/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block.h - one block of a capture and the payloads it can have (docs/SPEC.md,
 * 1.1 to 1.5). All views point into the bytes that were read.
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

/* block_read - the block at the start of @bytes; false if none checks there. */
bool block_read(struct block *block, struct bytes bytes);

/*
 * block_announced - how long a block that starts with @bytes will be when all of
 * it has come; 0: none starts so, SIZE_MAX: @bytes are too few to say.
 */
size_t block_announced(struct bytes bytes);

/*
 * block_claim - how long the block at the start of @bytes says it is, without a
 * look at its checksum; 0 if that is not possible here.
 */
size_t block_claim(struct bytes bytes);

/* block_write - append @block as a capture file has it. */
void block_write(struct buffer *out, const struct block *block);

/* More streams than are known; what is beyond is only counted. */
#define STREAMS_MAX 6

struct stream {
	uint8_t number;
	uint64_t size;
};

struct streams {
	uint64_t count;
	struct stream stream[STREAMS_MAX];
};

struct begin {
	uint64_t format; /* if it is unknown nothing else is filled in */
	uint8_t width;
	uint8_t order;
	uint64_t version;
	uint64_t nonce;
	uint64_t generation;
	uint64_t span;
	struct streams streams;
	uint64_t address; /* of the counters */
	struct bytes id;
};

struct data {
	uint8_t coding;
	struct bytes coded;
};

/* Read a payload; false if it is not one. */
bool begin_read(struct begin *begin, struct bytes payload);
bool data_read(struct data *data, struct bytes payload);

#endif
