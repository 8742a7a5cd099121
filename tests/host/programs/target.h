/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target.h - a target for badline.c, which consists of the real runtime, compiled for the host. Its counters have random
 * values, so no code needs to be instrumented.
 */
#ifndef BAREPROF_TESTS_HOST_TARGET_H
#define BAREPROF_TESTS_HOST_TARGET_H

#include "bytes.h"

/* What a target does after it has sent its dump once. */
enum habit {
	ANSWERS, /* it answers requests */
	REPEATS, /* it sends the same dump again and again, and reads nothing */
	IS_SILENT, /* it reads nothing and sends nothing */
};

/* What a target has sent. It is in memory that the target shares with the test. */
struct target_log {
	unsigned int first; /* number of blocks in the first transmission */
	unsigned int again; /* number of blocks that were sent later */
	unsigned int requests; /* number of requests that were understood */
	unsigned int refused; /* number of requests that were damaged */
};

struct target {
	uint64_t random;
	enum habit habit;
	unsigned int log_percent; /* how often a line of the target's log comes before a block */
	double pause; /* seconds between two transmissions of REPEATS */
	size_t block_size; /* bytes of the block buffer */
	struct buffer counters;
	struct target_log *log;
};

/* target_start - fills in block_size, and makes @size bytes of counters. */
void target_start(struct target *target, size_t size);

/*
 * target_run - waits on @fd for the line "cov serve", except if it only repeats, sends the dump, and then does what its habit says, until @fd is
 * closed.
 */
void target_run(struct target *target, int fd);

/* target_first - appends the indices of the blocks of the first transmission to @indices, each as a uint32_t. */
void target_first(struct target *target, struct buffer *indices);

#endif
