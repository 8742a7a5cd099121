/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * round.h - describes a round of rounds.c: the bytes that a target sent to `bareprof pull`, and the expected result.
 */
#ifndef BAREPROF_TESTS_HOST_ROUND_H
#define BAREPROF_TESTS_HOST_ROUND_H

#include "make.h"

#define ROUND_BAUD 115200.0

/* The ways in which a target sends its dumps. */
enum way {
	ONCE,
	TWICE, /* the same dump twice, so that the second transmission fills gaps in the first */
	ANOTHER, /* one dump and then another dump */
	IN_TURNS, /* two dumps whose lines alternate, as if two CPUs sent them */
	RESET, /* a dump that a reset ends early, and then another dump */
	WAYS
};

struct sent {
	struct made made;
	struct bytes profile;
	unsigned int start; /* the number of blocks that were sent before the reset; 0 means all */
	bool arrived[MADE_BLOCKS_MAX];
	unsigned int lost;
};

/* The counts of a round. They are in memory that the process of the round shares with its parent. */
struct outcome {
	unsigned int bytes; /* number of bytes that the target sent */
	unsigned int lines; /* number of lines of dumps; lines of the log do not count */
	unsigned int lost; /* number of blocks that were lost */
	unsigned int whole; /* number of complete profiles */
	double seconds;
};

struct round {
	uint64_t seed;
	uint64_t random;
	unsigned int permille;
	enum way way;
	const char *line_end;
	struct sent sent[2];
	struct buffer wire;
	unsigned int logs;
	char *folder; /* the folder with the round's outputs */
	char *command; /* the command that runs this round again */
	struct outcome *outcome;
	bool good;
};

/* round_fail - records that the round failed. Prints @what, @more, and the command that runs the round again. */
void round_fail(struct round *round, const char *what, const char *more);

/* round_arrived - marks the blocks of @sent that are on the wire completely. */
void round_arrived(struct round *round, struct sent *sent);

/* round_check - checks the exit status @status of pull, and the files that pull left in the round's folder. */
void round_check(struct round *round, int status);

#endif
