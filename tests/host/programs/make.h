/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * make.h - profiles and captures for the tests of the host program, made
 * after docs/SPEC.md without the code that is tested.
 */
#ifndef BAREPROF_TESTS_HOST_MAKE_H
#define BAREPROF_TESTS_HOST_MAKE_H

#include "bytes.h"

/* make_profile - append a .profraw (version 10, 64-bit, little-endian) of @functions functions. */
void make_profile(struct buffer *profile, unsigned int functions, uint64_t seed);

#define MADE_BLOCKS_MAX 4096

struct made {
	struct buffer block[MADE_BLOCKS_MAX];
	unsigned int count;
	uint32_t tag;
};

/* What BEGIN says of a profile that make_profile() did not make. */
struct make_about {
	unsigned int width;
	bool big;
	uint64_t version;
	struct bytes id;
};

/* What a dump can be told to get wrong; all zeros for a sound one. */
struct make_options {
	const struct make_about *about; /* NULL: it is of make_profile() */
	uint64_t nonce;
	uint32_t image;
	uint64_t format; /* 0: 1 */
	uint64_t claimed_stream; /* 0: the truth */
	uint64_t version; /* 0: the truth */
	unsigned int span; /* 0: 64 */
	unsigned int bad_raw; /* index of a DATA block that holds one byte less */
	bool bad_end;
};

/* make_dump - the blocks of a dump that carries @profile. Free with made_free(). */
void make_dump(struct made *made, struct bytes profile, struct make_options options);
void made_free(struct made *made);

/* make_block - append one block. */
void make_block(struct buffer *out, uint8_t type, uint32_t image, uint64_t index, uint32_t tag, struct bytes payload);

/* make_text - append a block as a line; make_frame - as a frame. */
void make_text(struct buffer *out, const struct buffer *block, const char *prefix, const char *line_end);
void make_frame(struct buffer *out, const struct buffer *block);

/* make_random - a repeatable sequence. */
uint64_t make_random(uint64_t *state);

#endif
