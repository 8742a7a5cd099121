/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_self.c - describes the machine profile of the image that this file is linked into.
 */
#include <bareprof/mip.h>

#include "image_bounds.h"

/* The sections from the build id on. The section of records is empty, because there are no records. */
#if BAREPROF_SERVES_BLOCKS
#define MIP_BOUND (BAREPROF_MIP_CLANG_BLOCKS + 1)
#define MIP_MORE_BOUNDS                                                                                                \
	BAREPROF_BOUNDS(BAREPROF_MIP_BOUNDS_BLOCKS)                                                                    \
	BAREPROF_BOUNDS(BAREPROF_MIP_BOUNDS_SAMPLES)                                                                   \
	MIP_NO_BOUNDS("bareprof_build_id")                                                                             \
	BAREPROF_BOUNDS_BETWEEN(BAREPROF_MIP_BOUNDS_WRAPS, BAREPROF_MIP_BOUNDS_BLOCKS)
#else
#define MIP_BOUND (BAREPROF_MIP_CALLS + 1)
#define MIP_MORE_BOUNDS
#endif

/* The bounds of an empty section. Both are the start of the section @name. */
#define MIP_NO_BOUNDS(name) BAREPROF_BOUNDS_OF("__start_" name, "__start_" name)

BAREPROF_API extern const int32_t bareprof_mip_bounds[2 * MIP_BOUND];
BAREPROF_BOUNDS_TABLE("bareprof_mip_bounds",
	BAREPROF_BOUNDS("bareprof_build_id") MIP_NO_BOUNDS("bareprof_build_id") BAREPROF_BOUNDS(
		BAREPROF_MIP_BOUNDS_COVERAGE) BAREPROF_BOUNDS(BAREPROF_MIP_BOUNDS_CALLS) MIP_MORE_BOUNDS);

int bareprof_mip_image_self(struct bareprof_image *image)
{
	bareprof_fill(image, 0, sizeof(*image));
	bareprof_set_bounds(image->section, bareprof_mip_bounds, MIP_BOUND);
	return bareprof_mip_image_init(image);
}

int bareprof_mip_start(struct bareprof_image *image)
{
	int error = bareprof_mip_image_self(image);

	bareprof_reset(image);
	image->generation = 0;
	return error;
}
