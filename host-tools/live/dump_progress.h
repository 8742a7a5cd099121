/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_progress.h - how far the dumps have come while their blocks arrive: what says
 * that one is complete, and what a progress line shows.
 */
#ifndef BAREPROF_HOST_DUMP_PROGRESS_H
#define BAREPROF_HOST_DUMP_PROGRESS_H

#include "sent_dump.h"

struct dump_state {
	uint32_t image;
	uint32_t tag;
	struct block_range *received; /* indices that came, in order, apart from each other */
	size_t received_count;
	size_t received_room;
	uint64_t blocks; /* different ones */
	uint64_t last; /* index of END; 0: unknown so far */
	uint64_t bytes; /* of payload */
	double start; /* when its first block came */
	bool ended; /* END came */
	bool complete;
};

/* Starts with the capture and zeros, ends with dump_progress_free(). */
struct dump_progress {
	struct capture *capture; /* gets every block */
	const char *wanted; /* name of the only dump that counts, see sent_dump_named(); NULL: any */
	bool done; /* such a dump is complete */
	uint32_t tag; /* of the first that was */
	uint32_t image;
	struct dump_state *dumps;
	size_t count;
	size_t room;
	size_t open; /* how many of them are not complete */
	const struct dump_state *current; /* of the last block; NULL: none came */
};

/* dump_progress_block - a block came (a scan's callback; @progress is a struct dump_progress). */
void dump_progress_block(void *progress, const struct block *block);

void dump_progress_free(struct dump_progress *progress);

#endif
