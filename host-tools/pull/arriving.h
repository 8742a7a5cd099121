/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arriving.h - keeps dumps apart that arrive one after the other, or mixed, from one live source. In contrast to a capture,
 * a dump that was sent again is a new dump, with the counts of a later moment.
 */
#ifndef BAREPROF_HOST_ARRIVING_H
#define BAREPROF_HOST_ARRIVING_H

#include "dump_progress.h"

/* At most this many dumps arrive at the same time. If there are more, the oldest one is dropped. */
#define ARRIVING_MAX 32

/* A dump that is arriving: the target has sent some of its blocks. */
struct arriving_dump {
	uint32_t tag;
	uint32_t image;
	bool begun; /* BEGIN arrived */
	bool replaced; /* the target sends the dump again from the start, so no more blocks are added here */
	struct capture capture; /* its blocks */
	struct dump_progress progress;
};

/* Starts as all zeros, and ends with arriving_clear(). */
struct arriving {
	struct arriving_dump *list[ARRIVING_MAX]; /* the oldest first */
	size_t count;
	struct arriving_dump *complete
		[ARRIVING_MAX]; /* dumps whose blocks have all arrived, in the order in which they became complete */
	size_t complete_count;
};

/* arriving_block - adds a block. It is the block callback of a scan; @arriving is a struct arriving. */
void arriving_block(void *arriving, const struct block *block);

/*
 * arriving_take - returns the first complete dump, or NULL. arriving_stalled - returns a dump that will not become complete:
 * the target sent its end, the dump was replaced, or no block of it has arrived for @seconds. Both functions remove the dump
 * from the list, and the caller frees it.
 * arriving_latest - returns the dump whose block arrived last, or NULL.
 */
struct arriving_dump *arriving_take(struct arriving *arriving);
struct arriving_dump *arriving_stalled(struct arriving *arriving, double seconds);
const struct dump_state *arriving_latest(const struct arriving *arriving);

/* arriving_free - frees a dump that was removed. arriving_clear - frees all dumps. */
void arriving_free(struct arriving_dump *dump);
void arriving_clear(struct arriving *arriving);

#endif
