/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_progress.h - counts the blocks of dumps while they arrive. From these numbers, the commands find out when a dump
 * is complete, and show a progress line.
 */
#ifndef BAREPROF_HOST_DUMP_PROGRESS_H
#define BAREPROF_HOST_DUMP_PROGRESS_H

#include "sent_dump.h"

/*
 * After the end of an incomplete dump, commands wait this many seconds for more blocks, because the target may send the
 * dump again. In `bareprof pull`, --wait can change this number.
 */
#define DUMP_GRACE 3.0

/* The state of a dump whose first block has arrived. */
struct dump_state {
	uint32_t image;
	uint32_t tag;
	struct block_range *received; /* indices of the blocks that arrived, as ranges in ascending order */
	size_t received_count;
	size_t received_room;
	uint64_t blocks; /* number of blocks that arrived; a repeated block counts once */
	uint64_t last; /* index of END; 0: not yet known */
	uint64_t bytes; /* number of payload bytes that arrived */
	double start; /* seconds_now() when the first block of the dump arrived */
	bool ended; /* END arrived */
	bool complete;
};

/* The caller sets capture and wanted, and zeroes the other fields. End with dump_progress_free(). */
struct dump_progress {
	struct capture *capture; /* every block is added to this capture */
	const char *wanted; /* name of the dump to wait for, see sent_dump_named(); NULL: any dump */
	bool done; /* the dump to wait for is complete */
	uint32_t tag; /* if @done: tag of the first wanted dump that was complete */
	uint32_t image; /* if @done: image number of that dump */
	struct dump_state *dumps;
	size_t count;
	size_t room;
	size_t open; /* number of dumps in @dumps that are not complete */
	const struct dump_state *current; /* the dump whose block arrived last; NULL: no block has arrived */
	double latest; /* seconds_now() when the last block arrived */
	unsigned int requests; /* number of times that the target was asked for blocks; the caller counts them */
};

/*
 * dump_progress_block - counts a block. This function is the block callback of a scan. @progress is a struct
 * dump_progress.
 */
void dump_progress_block(void *progress, const struct block *block);

/*
 * dump_progress_stopped - returns whether it is useless to wait for more blocks of a wanted dump. If @wanted is NULL,
 * every dump is wanted. Returns true if the target has sent a wanted dump to its end, blocks of this dump are missing,
 * and the target sends nothing more. The target sends nothing more if no block has arrived for @seconds, and the last
 * block belongs to a dump that was sent to its end.
 */
bool dump_progress_stopped(const struct dump_progress *progress, double seconds);

/*
 * dump_progress_missing - appends the blocks that are missing to @list, such as "3,7-9", as far as it has at most @max
 * characters. Returns the index of the last block in the list, or -1 if the list is empty. If BEGIN and END are missing,
 * the number of blocks is not known, so the list only has blocks before the last one that arrived.
 */
int64_t dump_progress_missing(const struct dump_state *dump, struct buffer *list, size_t max);

/* dump_progress_has - returns whether block @index has arrived. */
bool dump_progress_has(const struct dump_state *dump, uint64_t index);

void dump_progress_free(struct dump_progress *progress);

#endif
