/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * make.h - makes profiles and captures for the tests of the host program. It follows docs/SPEC.md and does not use
 * the code under test.
 */
#ifndef BAREPROF_TESTS_HOST_MAKE_H
#define BAREPROF_TESTS_HOST_MAKE_H

#include "bytes.h"

/* make_profile - appends a .profraw (version 10, 64-bit, little-endian) with @functions functions. */
void make_profile(struct buffer *profile, unsigned int functions, uint64_t seed);

#define MADE_BLOCKS_MAX 4096

struct made {
	struct buffer block[MADE_BLOCKS_MAX];
	unsigned int count;
	uint32_t tag;
};

/* The fields of BEGIN, for a profile that does not come from make_profile(). */
struct make_about {
	unsigned int width;
	bool big;
	uint64_t version;
	struct bytes id;
};

/*
 * The properties of a dump to make, and the mistakes that the dump must have. If all fields are 0, the dump is sound.
 */
struct make_options {
	const struct make_about *about; /* NULL if the profile is from make_profile() */
	uint64_t nonce;
	uint32_t image;
	uint64_t format; /* the format number in BEGIN; 0 selects the right number, which is 1 */
	uint64_t claimed_stream; /* the size that BEGIN claims for the stream; 0 selects the right size */
	uint64_t version; /* the version word in BEGIN; 0 selects the right version word */
	unsigned int span; /* the number of raw bytes in each DATA block; 0 selects 64 */
	unsigned int bad_raw; /* the index of a DATA block that lacks one byte; 0: no block lacks a byte */
	bool bad_end; /* true if END must have a wrong index */
};

/* make_dump - makes the blocks of a dump that carries @profile. Free them with made_free(). */
void make_dump(struct made *made, struct bytes profile, struct make_options options);
void made_free(struct made *made);

/* make_block - appends one block. */
void make_block(struct buffer *out, uint8_t type, uint32_t image, uint64_t index, uint32_t tag, struct bytes payload);

/* make_text - appends a block as a line of text. make_frame - appends a block as a frame. */
void make_text(struct buffer *out, const struct buffer *block, const char *prefix, const char *line_end);
void make_frame(struct buffer *out, const struct buffer *block);

/* make_random - returns the next number of a repeatable sequence. */
uint64_t make_random(uint64_t *state);

#endif
