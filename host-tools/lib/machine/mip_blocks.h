/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_blocks.h - reads the table of blocks from the ELF file of an image. */
#ifndef BAREPROF_HOST_MIP_BLOCKS_H
#define BAREPROF_HOST_MIP_BLOCKS_H

#include "image.h"
#include "mip_profile.h"

/* mip_blocks_section - returns the section with the table of blocks, or NULL if @image has none. */
const struct image_section *mip_blocks_section(const struct image *image);

/*
 * mip_blocks_read - adds the blocks of @image to the functions of @profile, and adds functions that only the table of
 * blocks has. @bytes is the address and the size of the block bytes. Does nothing if there are no block bytes. The
 * caller then checks @profile with mip_profile_check(). Errors: INVALID_INPUT.
 */
enum status mip_blocks_read(
	struct mip_profile *profile, const struct image *image, const struct mip_extent *bytes, struct error *error);

#endif
