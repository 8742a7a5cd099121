/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sent_dump.h - sorts blocks into dumps and decodes them. A dump is complete when all of its blocks
 * have arrived (docs/SPEC.md, 1.5).
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
	/* the dump contradicts itself, or has unknown blocks or streams, even if all its blocks arrived */
	DUMP_UNUSABLE,
};

struct sent_dump {
	uint32_t tag;
	uint32_t image;
	size_t started; /* position in the input of the BEGIN block, or of the first block if BEGIN is missing */
	size_t first; /* index of the first block of the dump in capture->blocks */
	size_t count; /* number of blocks of the dump in capture->blocks */
	const struct stored_block *begin_block; /* NULL: BEGIN is missing */
	const struct stored_block *end_block;
	struct begin begin;
	/*
	 * true: BEGIN announces counters, which need the ELF file; false: it announces a .profraw,
	 * or BEGIN is missing
	 */
	bool counters;
	bool machine; /* BEGIN announces the raw sections of a machine profile */
	bool samples; /* BEGIN announces samples of the program counter */
	uint64_t last; /* index of the END block; 0: unknown */
	struct block_range *missing;
	size_t missing_count;
	struct dump_fills fills;
	enum sent_dump_completeness state;
	struct error problem; /* if @state is DUMP_UNUSABLE, the reason */
};

/* A capture that was read. Before its first use it is all zeros; capture_free() frees its memory. */
struct capture {
	struct buffer payloads;
	struct stored_block *blocks;
	size_t count;
	size_t room;
	size_t duplicates; /* number of blocks that were dropped because a block with the same index arrived later */
	struct sent_dump *sent_dumps; /* the dumps; the dump that started first is the first in this array */
	size_t sent_count;
};

/*
 * capture_add - stores a copy of @block in @capture. @capture must point to a struct capture; it has type void * so
 * that this function can be assigned to scan->block.
 */
void capture_add(void *capture, const struct block *block);

/* capture_finish - sorts the blocks into dumps and checks each dump. Call it once, after the last block. */
void capture_finish(struct capture *capture);
void capture_free(struct capture *capture);

/*
 * sent_dump_named - returns whether @wanted, which is TAG or TAG.IMAGE, names the dump with
 * tag @tag and image number @image.
 */
bool sent_dump_named(const char *wanted, uint32_t tag, uint32_t image);

/* sent_dump_name_valid - returns whether @wanted has the form TAG or TAG.IMAGE. */
bool sent_dump_name_valid(const char *wanted);

/*
 * sent_dump_choose - sets *@sent to the dump that @wanted names (TAG or TAG.IMAGE). If @wanted is
 * NULL, sets *@sent to the dump that started last. The chosen dump must be complete. If @partial is true, an incomplete
 * dump of counters is accepted too. If the chosen dump cannot be used, no older dump is chosen instead, but the error
 * names the older dumps that are complete. Errors: INVALID_INPUT; USAGE if @wanted is not a name, names no dump, or
 * names dumps of several images.
 */
enum status sent_dump_choose(const struct sent_dump **sent, const struct capture *capture, const char *wanted,
	bool partial, struct error *error);

/*
 * sent_dump_usable - returns whether a profile can be made from the dump. If @partial is true, also returns true if
 * only a partial profile can be made.
 */
bool sent_dump_usable(const struct sent_dump *sent, bool partial);

/*
 * sent_dump_stream - decodes all blocks of stream @number, except blocks that did not arrive, and
 * adds the decoded bytes to @buffer. The state of @sent must not be DUMP_UNUSABLE.
 */
void sent_dump_stream(
	const struct capture *capture, const struct sent_dump *sent, uint8_t number, struct sparse_buffer *buffer);

/*
 * streams_find - returns stream @number, or NULL if @streams does not have it.
 * streams_size - returns the size of stream @number in bytes, or 0 if @streams does not have it.
 */
const struct stream *streams_find(const struct streams *streams, uint8_t number);
uint64_t streams_size(const struct streams *streams, uint8_t number);

/*
 * sent_dump_content - returns the name of the contents of a dump of counters, of a machine profile or of samples, such
 * as "counters and values".
 *
 * sent_dump_reader - returns the command that reads dumps of this kind, if it is the only one: "bareprof mip merge" for
 * a machine profile, "bareprof sample merge" for samples. Otherwise returns NULL.
 */
const char *sent_dump_content(const struct sent_dump *sent);
const char *sent_dump_reader(const struct sent_dump *sent);

/*
 * sent_dump_problem - appends the reason why the dump cannot be used, as a sentence. The state
 * of @sent must not be DUMP_COMPLETE.
 */
void sent_dump_problem(const struct sent_dump *sent, struct buffer *text);

/*
 * sent_dump_missing - appends a sentence that lists the missing blocks, such as "blocks 3 and 7 to
 * 9 of 12 are missing".
 */
void sent_dump_missing(const struct sent_dump *sent, struct buffer *text);

#endif
