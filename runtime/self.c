/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * self.c - the image that this file is linked into, learnt and checked.
 */
#include "bounds.h"

/* In the order of enum bareprof_section. */
BAREPROF_API extern const int32_t bareprof_bounds[2 * BAREPROF_SECTIONS];
BAREPROF_BOUNDS_TABLE("bareprof_bounds",
	BAREPROF_BOUNDS("bareprof_build_id") BAREPROF_BOUNDS("__llvm_prf_data") BAREPROF_BOUNDS("__llvm_prf_cnts")
		BAREPROF_BOUNDS("__llvm_prf_bits") BAREPROF_BOUNDS("__llvm_prf_names")
			BAREPROF_BOUNDS("__llvm_prf_vtab") BAREPROF_BOUNDS("__llvm_prf_vns"));

int bareprof_image_self(struct bareprof_image *image)
{
	uint64_t declared = bareprof_take_bounds(image->section, bareprof_bounds, BAREPROF_SECTIONS);

	image->number = 0;
	return bareprof_image_init(image, declared);
}
