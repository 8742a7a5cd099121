/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * round.h - a round of rounds.c: what a target said, and what must come of it.
 */
#ifndef BAREPROF_TESTS_HOST_ROUND_H
#define BAREPROF_TESTS_HOST_ROUND_H

#include "make.h"

#define ROUND_BAUD 115200.0

/* How a target dumps. */
enum way {
	ONCE,
	TWICE, /* the same dump again: what got lost the first time */
	ANOTHER, /* another dump after it */
	IN_TURNS, /* two, line by line, as from two CPUs */
	RESET, /* it breaks off, and another dump follows */
	WAYS
};

struct sent {
	struct made made;
	struct bytes profile;
	unsigned int start; /* what fits before the reset; else 0: all of it */
	bool arrived[MADE_BLOCKS_MAX];
	unsigned int lost;
};

/* What a round has to tell, in memory that is shared with its process. */
struct outcome {
	unsigned int bytes;
	unsigned int lines; /* of dumps */
	unsigned int lost; /* blocks */
	unsigned int whole; /* profiles */
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
	char *folder; /* with its outputs */
	char *command; /* to run it again */
	struct outcome *outcome;
	bool good;
};

/* round_fail - the round went wrong: say what, and how to run it again. */
void round_fail(struct round *round, const char *what, const char *more);

/* round_arrived - mark which blocks of @sent are whole on the wire. */
void round_arrived(struct round *round, struct sent *sent);

/* round_check - judge what pull left in the round's folder, and its exit status. */
void round_check(struct round *round, int status);

#endif
