/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_merge.h - adds raw profiles and machine profiles of one link to a machine profile.
 */
#ifndef BAREPROF_HOST_MIP_MERGE_H
#define BAREPROF_HOST_MIP_MERGE_H

#include "mip_raw.h"

/*
 * mip_merge_raw - adds @raw to @profile. mip_merge_profile - adds @other to @profile. Both must come from the same link
 * as @profile. Calls are added, and a sum stays at 2^64-1. Orders are added too, and the number of orders is counted,
 * so that their mean does not depend on the order of the merges. Appends sentences to @note. After an error, @profile
 * may contain a part of the input, so it must not be written. Errors: INVALID_INPUT.
 */
enum status mip_merge_raw(
	struct mip_profile *profile, const struct mip_raw *raw, struct buffer *note, struct error *error);
enum status mip_merge_profile(
	struct mip_profile *profile, const struct mip_profile *other, struct buffer *note, struct error *error);

#endif
