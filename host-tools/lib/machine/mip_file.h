/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_file.h - reads and writes machine profiles (.mip) of versions 8 and 9 (docs/SPEC.md, 4.4 and 4.5).
 */
#ifndef BAREPROF_HOST_MIP_FILE_H
#define BAREPROF_HOST_MIP_FILE_H

#include "mip_profile.h"

/* mip_file_read - reads a .mip into @profile, which must be empty. Errors: INVALID_INPUT. */
enum status mip_file_read(struct mip_profile *profile, struct bytes bytes, struct error *error);

/*
 * mip_file_write - appends a .mip of version 8 or 9. Version 8 has no build id, no functions that are left out and only
 * the sum of the orders, so these are dropped. Errors: INVALID_INPUT if version 8 cannot hold the functions.
 */
enum status mip_file_write(
	struct buffer *out, const struct mip_profile *profile, unsigned int version, struct error *error);

#endif
