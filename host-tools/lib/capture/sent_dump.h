/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sent_dump.h - blocks gathered into dumps, and dumps put together again
 * (docs/SPEC.md, 1.5: a dump is complete when every block of it is there).
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
	DUMP_UNUSABLE, /* complete or not, it contradicts itself or is of an unknown kind */
};

struct sent_dump {
	uint32_t tag;
	uint32_t image;
	size_t started; /* which block of the input was its BEGIN, or its first */
	size_t first; /* of its blocks in capture->blocks */
	size_t count;
	const struct stored_block *begin_block; /* NULL: missing */
	const struct stored_block *end_block;
	struct begin begin;
	bool counters; /* BEGIN tells of counters that the ELF file completes, not of a .profraw */
	uint64_t last; /* index of END; 0: unknown */
	struct block_range *missing;
	size_t missing_count;
	struct dump_fills fills;
	enum sent_dump_completeness state;
	struct error problem; /* if it is unusable */
};

/* Starts as all zeros, ends with capture_free(). */
struct capture {
	struct buffer payloads;
	struct stored_block *blocks;
	size_t count;
	size_t room;
	size_t duplicates;
	struct sent_dump *sent_dumps; /* in the order in which they started */
	size_t sent_count;
};

/* capture_add - keep a copy of @block; @capture is a struct capture (a scan's callback). */
void capture_add(void *capture, const struct block *block);

/* capture_finish - form the dumps and judge each; call it once, after all blocks. */
void capture_finish(struct capture *capture);
void capture_free(struct capture *capture);

/* sent_dump_named - is it the dump that @wanted names, a TAG or TAG.IMAGE? */
bool sent_dump_named(const char *wanted, uint32_t tag, uint32_t image);

/* sent_dump_name_valid - can @wanted be such a name at all? */
bool sent_dump_name_valid(const char *wanted);

/*
 * sent_dump_choose - the dump with the name @wanted (TAG or TAG.IMAGE), or with
 * NULL the one that started last, if it is complete; with @partial also one of
 * counters of which something is missing. Never an older one in its place: the
 * error names those. Errors: INVALID_INPUT, USAGE (no such tag).
 */
enum status sent_dump_choose(const struct sent_dump **sent, const struct capture *capture, const char *wanted,
	bool partial, struct error *error);

/* sent_dump_usable - can a profile be made of it, or with @partial a part of one? */
bool sent_dump_usable(const struct sent_dump *sent, bool partial);

/* sent_dump_stream - what came of stream @number, decoded, behind what is in @buffer. @sent is not unusable. */
void sent_dump_stream(
	const struct capture *capture, const struct sent_dump *sent, uint8_t number, struct sparse_buffer *buffer);

/* streams_find - stream @number, or NULL; streams_size - its size; 0 if there is none. */
const struct stream *streams_find(const struct streams *streams, uint8_t number);
uint64_t streams_size(const struct streams *streams, uint8_t number);

/* sent_dump_content - what it has of a profile that the ELF file completes: "counters". */
const char *sent_dump_content(const struct sent_dump *sent);

/* sent_dump_problem - append why a dump that is not complete is none to use, as a sentence. */
void sent_dump_problem(const struct sent_dump *sent, struct buffer *text);

/* sent_dump_missing - append which blocks are missing: "blocks 3 and 7 to 9 of 12 are missing". */
void sent_dump_missing(const struct sent_dump *sent, struct buffer *text);

#endif
