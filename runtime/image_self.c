/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_self.c - describes and checks the image that this file is linked into.
 */
#include "image_bounds.h"
#include "values_serialize.h"

#if BAREPROF_SERVES_VALUES
#define BOUND     BAREPROF_ALL_SECTIONS
#define OF_VALUES BAREPROF_BOUNDS("__llvm_prf_vals") BAREPROF_BOUNDS("__llvm_prf_vnds")
#else
#define BOUND BAREPROF_SECTIONS
#define OF_VALUES
#endif

/* The bounds of the sections, in the order of enum bareprof_section. */
BAREPROF_API extern const int32_t bareprof_bounds[2 * BOUND];
BAREPROF_BOUNDS_TABLE("bareprof_bounds",
	BAREPROF_BOUNDS("bareprof_build_id") BAREPROF_BOUNDS("__llvm_prf_data") BAREPROF_BOUNDS("__llvm_prf_cnts")
		BAREPROF_BOUNDS("__llvm_prf_bits") BAREPROF_BOUNDS("__llvm_prf_names")
			BAREPROF_BOUNDS("__llvm_prf_vtab") BAREPROF_BOUNDS("__llvm_prf_vns") OF_VALUES);

int bareprof_image_self(struct bareprof_image *image)
{
	uint64_t declared = bareprof_read_bounds(image->section, bareprof_bounds, BOUND);

	image->number = 0;
	return bareprof_image_init(image, declared);
}
