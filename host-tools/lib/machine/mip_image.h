/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_image.h - reads the map of a machine profile from the ELF file of the image. */
#ifndef BAREPROF_HOST_MIP_IMAGE_H
#define BAREPROF_HOST_MIP_IMAGE_H

#include "image.h"
#include "mip_profile.h"

/*
 * mip_image_bounds - returns the name that the symbols at the bounds of a raw section have after "__start_" and
 * "__stop_". It is a constant.
 */
const char *mip_image_bounds(enum mip_section section);

/*
 * mip_image_extent - finds a raw section of the image, by the symbols at its bounds or by its name. Returns false if
 * the image does not have it.
 */
bool mip_image_extent(const struct image *image, enum mip_section section, struct mip_extent *extent);

/*
 * mip_image_base - returns the address from which mip_profile.relative addresses count, or 0 if the image has no raw
 * section.
 */
uint64_t mip_image_base(const struct image *image);

/*
 * mip_image_read - reads the map of @image into @profile, which must be empty, and its build id. Errors: INVALID_INPUT,
 * also if the build id is all zeros.
 */
enum status mip_image_read(struct mip_profile *profile, const struct image *image, struct error *error);

/*
 * mip_image_map, mip_image_id - do one half of mip_image_read() each: read the map, and the build id. Errors:
 * INVALID_INPUT.
 */
enum status mip_image_map(struct mip_profile *profile, const struct image *image, struct error *error);
enum status mip_image_id(struct mip_profile *profile, const struct image *image, struct error *error);

#endif
