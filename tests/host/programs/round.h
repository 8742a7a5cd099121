/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * round.h - a round of rounds.c: what a target sent to `bareprof pull`, and the expected result.
 */
#ifndef BAREPROF_TESTS_HOST_ROUND_H
#define BAREPROF_TESTS_HOST_ROUND_H

#include "make.h"

#define ROUND_BAUD 115200.0

/* How a target dumps. */
enum way {
	ONCE,
	TWICE, /* the same dump twice: the second one fills gaps in the first */
	ANOTHER, /* another dump after it */
	IN_TURNS, /* two dumps, line by line, as from two CPUs */
	RESET, /* the dump ends early, and another one follows */
	WAYS
};

struct sent {
	struct made made;
	struct bytes profile;
	unsigned int start; /* number of blocks sent before the reset; 0: all */
	bool arrived[MADE_BLOCKS_MAX];
	unsigned int lost;
};

/* The numbers of a round, in memory that the process of the round shares with its parent. */
struct outcome {
	unsigned int bytes; /* bytes that were sent */
	unsigned int lines; /* lines of dumps, without the log */
	unsigned int lost; /* blocks that were lost */
	unsigned int whole; /* complete profiles */
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

/* round_fail - notes that the round failed. Prints @what, @more, and the command that runs it again. */
void round_fail(struct round *round, const char *what, const char *more);

/* round_arrived - marks the blocks of @sent that are complete on the wire. */
void round_arrived(struct round *round, struct sent *sent);

/* round_check - checks the exit status @status of pull, and the files that pull left in the round's folder. */
void round_check(struct round *round, int status);

#endif
