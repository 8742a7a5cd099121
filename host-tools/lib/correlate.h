/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * correlate.h - complete a profile whose records and names are in the ELF file:
 * in sections of it that are not loaded, or in its debug information.
 */
#ifndef BAREPROF_HOST_CORRELATE_H
#define BAREPROF_HOST_CORRELATE_H

#include "image.h"
#include "raw.h"

/*
 * correlate - append to @out the raw profile that @profile would be if it had its
 * records and names, which are taken from @image. Errors: BAD (the image has none,
 * or they do not fit the profile).
 */
enum status correlate(
	struct buffer *out, const struct raw_profile *profile, const struct image *image, struct error *error);

/* correlate_debug - the same from debug information; correlate() calls it where it has to. */
enum status correlate_debug(
	struct buffer *out, const struct raw_profile *profile, const struct image *image, struct error *error);

#endif
