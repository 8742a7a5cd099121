/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wires.h - sends two dumps over a simulated bad wire, in the form of a capture file, of text lines or of frames. It
 * first drops, doubles and reorders blocks, and then damages bytes. It records which blocks remain undamaged.
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

/* The faults of a wire, as bits of a mask. */
enum {
	FLIP = 1, /* flip bits */
	DROP = 2, /* drop blocks */
	TWICE = 4, /* double blocks */
	ORDER = 8, /* reorder blocks */
	CUT = 16, /* cut bytes out */
	NOISE = 32, /* insert log text */
	MIX = 64, /* mix the blocks of both dumps */
	ALL = 127
};

/* A unit on the wire: a block, or the magic number of a capture file. */
struct unit {
	unsigned int dump;
	size_t index; /* the index of the block, or SENT_BLOCKS_MAX for the magic number */
	size_t from; /* offset of the unit's start in the carrier; to: offset of its end */
	size_t to;
	bool hurt; /* the bytes of this block or magic number are damaged */
};

/* The state of a wire. wire_start() initialises it, and wire_free() frees its memory. */
struct wire {
	const struct sent *sent; /* the two dumps */
	struct buffer rendered[FORMS][2][SENT_BLOCKS_MAX]; /* the blocks of the two dumps in each form */
	enum file_format form;
	uint64_t random;
	struct buffer carrier; /* the bytes that arrive */
	struct unit unit[UNITS_MAX];
	size_t count;
};

void wire_start(struct wire *wire, const struct sent *sent);
void wire_free(struct wire *wire);

/*
 * wire_queue - fills the carrier with the undamaged blocks of the first dump or, if @both is
 * true, with a random mixture of the blocks of both dumps.
 */
void wire_queue(struct wire *wire, bool both);

/*
 * wire_change - replaces the @remove bytes at offset @at of the carrier by @with, and marks the units at that offset
 * as damaged.
 */
void wire_change(struct wire *wire, size_t at, size_t remove, struct bytes with);

/*
 * wire_send - fills the carrier with both dumps in wire->form, and damages it by the kinds of faults in @faults. The
 * random numbers depend on @seed only.
 */
void wire_send(struct wire *wire, unsigned int faults, unsigned long seed);

#endif
