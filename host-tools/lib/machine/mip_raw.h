/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_raw.h - reads and writes raw machine profiles (.mipraw), which contain the raw sections of an image
 * (docs/SPEC.md, 4.3 and 4.5).
 */
#ifndef BAREPROF_HOST_MIP_RAW_H
#define BAREPROF_HOST_MIP_RAW_H

#include "mip_profile.h"

/* A raw profile. All slices point into the bytes from which it was read. */
struct mip_raw {
	unsigned int version; /* 8 or 9 */
	unsigned int width; /* bytes of a pointer; 0: not known (version 8) */
	bool big; /* byte order of the target */
	uint32_t kinds;
	uint32_t module; /* version 8: hash of the name of the link unit */
	struct bytes id; /* build id; empty: not known */
	/* In version 8, the section that @kinds selects is the whole file with its header. The others are empty. */
	struct bytes section[MIP_SECTIONS];
	uint64_t address[MIP_SECTIONS]; /* run-time addresses of the sections; not known in version 8 */
};

/* mip_raw_read - reads a .mipraw of version 8 or 9. Errors: INVALID_INPUT. */
enum status mip_raw_read(struct mip_raw *raw, struct bytes bytes, struct error *error);

/*
 * mip_raw_kinds - returns the kinds of a raw profile of version 9, which follow from the sections that are not empty.
 */
uint32_t mip_raw_kinds(const struct mip_raw *raw);

/* mip_raw_write - appends a .mipraw of version 9. */
void mip_raw_write(struct buffer *out, const struct mip_raw *raw);

/* The decoded raw bytes of one function. */
struct mip_seen {
	bool ran;
	uint64_t calls; /* 0: not known, or the function did not run */
	bool at_least; /* the function may have been called more often, because the target counts no more overflows */
	uint32_t order; /* order of the first call; 0: not known */
	const uint8_t
		*blocks; /* bytes of the blocks; the byte of the entry block comes first, and is not set in version 8 */
	uint8_t block_start; /* version 9: the start value of the bytes of blocks */
	bool inverted; /* version 8: a byte is 0 if its block ran, and the bytes have no gaps */
};

/* mip_seen_block - returns whether the block number @index of @function ran. */
static inline bool mip_seen_block(const struct mip_seen *seen, const struct mip_function *function, uint32_t index)
{
	return seen->inverted ? !seen->blocks[index + 1]
	                      : seen->blocks[function->blocks[index].index] != seen->block_start;
}

/*
 * mip_raw_look - sets *@seen to what @raw says about @function. mip_raw_fits() must have accepted @raw for its profile.
 * Errors: INVALID_INPUT if the values are impossible.
 */
enum status mip_raw_look(
	struct mip_seen *seen, const struct mip_raw *raw, const struct mip_function *function, struct error *error);

/*
 * mip_raw_fits - checks that @raw comes from the same link as @profile. Appends a sentence to @note if only sizes could
 * be compared, because a build id is missing. Errors: INVALID_INPUT.
 */
enum status mip_raw_fits(
	const struct mip_raw *raw, const struct mip_profile *profile, struct buffer *note, struct error *error);

/*
 * mip_raw_v8_write - appends @raw as a .mipraw of version 8. @profile is the map: it tells which bytes belong to
 * functions. mip_raw_fits() must have accepted @raw. Errors: INVALID_INPUT if version 8 cannot hold the profile.
 */
enum status mip_raw_v8_write(
	struct buffer *out, const struct mip_raw *raw, const struct mip_profile *profile, struct error *error);

#endif
