/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_progress.h - count the blocks of dumps while they arrive, to find out when a dump is
 * complete and to show a progress line.
 */
#ifndef BAREPROF_HOST_DUMP_PROGRESS_H
#define BAREPROF_HOST_DUMP_PROGRESS_H

#include "sent_dump.h"

/* A dump that has sent at least one block. */
struct dump_state {
	uint32_t image;
	uint32_t tag;
	struct block_range *received; /* indices of blocks that arrived, in order, with gaps between the ranges */
	size_t received_count;
	size_t received_room;
	uint64_t blocks; /* number of blocks that arrived; a repeated block counts once */
	uint64_t last; /* index of END; 0: not yet known */
	uint64_t bytes; /* bytes of payload that arrived */
	double start; /* seconds_now() when its first block arrived */
	bool ended; /* END arrived */
	bool complete;
};

/* The caller sets capture and wanted, and zeroes the other fields. End with dump_progress_free(). */
struct dump_progress {
	struct capture *capture; /* gets every block */
	const char *wanted; /* name of the dump to wait for, see sent_dump_named(); NULL: any dump */
	bool done; /* a dump with that name is complete */
	uint32_t tag; /* tag of the dump that was complete first */
	uint32_t image; /* image number of that dump */
	struct dump_state *dumps;
	size_t count;
	size_t room;
	size_t open; /* how many of @dumps are not complete */
	const struct dump_state *current; /* the dump of the last block; NULL: no block arrived */
	double latest; /* seconds_now() when the last block arrived */
};

/* dump_progress_block - counts a block: the block callback of a scan. @progress is a struct dump_progress. */
void dump_progress_block(void *progress, const struct block *block);

/*
 * dump_progress_stopped - returns whether the wanted dump, or any if none is named, was sent
 * to its end and is incomplete, and no other dump is being sent: no block has arrived for
 * @seconds, and the last one was the last of its dump.
 */
bool dump_progress_stopped(const struct dump_progress *progress, double seconds);

void dump_progress_free(struct dump_progress *progress);

#endif
