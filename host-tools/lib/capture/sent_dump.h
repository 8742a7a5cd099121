/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sent_dump.h - sorts blocks into dumps and decodes complete ones (docs/SPEC.md,
 * 1.5: a dump is complete when all of its blocks are there).
 */
#ifndef BAREPROF_HOST_SENT_DUMP_H
#define BAREPROF_HOST_SENT_DUMP_H

#include "block.h"
#include "dump_fills.h"
#include "error.h"
#include "sparse_buffer.h"
#include "stored_block.h"

struct block_range {
	uint64_t first;
	uint64_t last;
};

enum sent_dump_completeness {
	DUMP_COMPLETE,
	DUMP_INCOMPLETE,
	DUMP_UNUSABLE, /* the dump, complete or not, contradicts itself or has unknown blocks or streams */
};

struct sent_dump {
	uint32_t tag;
	uint32_t image;
	size_t started; /* position in the input of the BEGIN of the dump, or of its first block if it has no BEGIN */
	size_t first; /* index of the first block of the dump in capture->blocks */
	size_t count; /* number of blocks of the dump in capture->blocks */
	const struct stored_block *begin_block; /* NULL: missing */
	const struct stored_block *end_block;
	struct begin begin;
	bool counters; /* BEGIN announces counters, which need the ELF file, and not a .profraw */
	uint64_t last; /* index of END; 0: unknown */
	struct block_range *missing;
	size_t missing_count;
	struct dump_fills fills;
	enum sent_dump_completeness state;
	struct error problem; /* why the dump is unusable */
};

/* Starts as all zeros, ends with capture_free(). */
struct capture {
	struct buffer payloads;
	struct stored_block *blocks;
	size_t count;
	size_t room;
	size_t duplicates; /* number of blocks that arrived more than once */
	struct sent_dump *sent_dumps; /* in the order in which they started */
	size_t sent_count;
};

/* capture_add - keeps a copy of @block. @capture is a struct capture; the type is that of scan->block. */
void capture_add(void *capture, const struct block *block);

/* capture_finish - sorts the blocks into dumps and checks each dump. Call it once, after the last block. */
void capture_finish(struct capture *capture);
void capture_free(struct capture *capture);

/* sent_dump_named - returns whether @wanted, a TAG or TAG.IMAGE, names the dump with this tag and image. */
bool sent_dump_named(const char *wanted, uint32_t tag, uint32_t image);

/* sent_dump_name_valid - returns whether @wanted has the form of such a name. */
bool sent_dump_name_valid(const char *wanted);

/*
 * sent_dump_choose - sets *@sent to the dump called @wanted (TAG or TAG.IMAGE), or if @wanted is
 * NULL, to the one that started last. That dump must be complete; if @partial is true, an
 * incomplete dump of counters will do as well. An older dump is never chosen instead, but the
 * error names older complete ones. Errors: INVALID_INPUT, USAGE (no such tag).
 */
enum status sent_dump_choose(const struct sent_dump **sent, const struct capture *capture, const char *wanted,
	bool partial, struct error *error);

/* sent_dump_usable - returns whether a profile can be made of the dump, or a partial profile if @partial is true. */
bool sent_dump_usable(const struct sent_dump *sent, bool partial);

/*
 * sent_dump_stream - decodes the blocks of stream @number that arrived, and adds them to @buffer.
 * @sent must not be DUMP_UNUSABLE.
 */
void sent_dump_stream(
	const struct capture *capture, const struct sent_dump *sent, uint8_t number, struct sparse_buffer *buffer);

/* streams_find - returns stream @number, or NULL. streams_size - returns its size in bytes, or 0. */
const struct stream *streams_find(const struct streams *streams, uint8_t number);
uint64_t streams_size(const struct streams *streams, uint8_t number);

/* sent_dump_content - returns what a dump of counters contains: "counters" or "counters and values". */
const char *sent_dump_content(const struct sent_dump *sent);

/* sent_dump_problem - appends a sentence that tells why the dump, which is not DUMP_COMPLETE, cannot be used. */
void sent_dump_problem(const struct sent_dump *sent, struct buffer *text);

/* sent_dump_missing - appends which blocks are missing: "blocks 3 and 7 to 9 of 12 are missing". */
void sent_dump_missing(const struct sent_dump *sent, struct buffer *text);

#endif
