/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wires.h - two dumps on their way through a bad wire, in any form: blocks
 * arranged, then bytes damaged. What of it arrived without damage is known.
 */
#ifndef BAREPROF_TESTS_HOST_WIRES_H
#define BAREPROF_TESTS_HOST_WIRES_H

#include "judge.h"

#define UNITS_MAX 2048

enum file_format {
	FILES,
	TEXT,
	FRAMES,
	FORMS
};

enum {
	FLIP = 1,
	DROP = 2,
	TWICE = 4,
	ORDER = 8,
	CUT = 16,
	NOISE = 32,
	MIX = 64,
	ALL = 127
};

/* A block on its way, or the magic. */
struct unit {
	unsigned int dump;
	size_t index; /* SENT_BLOCKS_MAX: the magic */
	size_t from; /* where it is in the carrier */
	size_t to;
	bool hurt;
};

/* Starts with wire_start(), ends with wire_free(). */
struct wire {
	const struct sent *sent; /* two */
	struct buffer rendered[FORMS][2][SENT_BLOCKS_MAX];
	enum file_format form;
	uint64_t random;
	struct buffer carrier;
	struct unit unit[UNITS_MAX];
	size_t count;
};

void wire_start(struct wire *wire, const struct sent *sent);
void wire_free(struct wire *wire);

/* wire_queue - the first dump's blocks, or those of both as chance has it, as they are sent. */
void wire_queue(struct wire *wire, bool both);

/* wire_change - put @with in place of @remove bytes of the carrier at @at; what is within is hurt. */
void wire_change(struct wire *wire, size_t at, size_t remove, struct bytes with);

/* wire_send - all that happens in the case of number @seed, in wire->form. */
void wire_send(struct wire *wire, unsigned int faults, unsigned long seed);

#endif
