/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h - sets up an image with values for the program that includes this file. The image is the program itself. The
 * bounds of its sections are symbols, which the linker defines for each section that exists.
 */
#ifndef BAREPROF_TESTS_VALUES_IMAGE_H
#define BAREPROF_TESTS_VALUES_IMAGE_H

#include <bareprof/values.h>

#define WEAK __attribute__((weak))
#define BOUNDS(section)                                                                                                \
	WEAK extern const char __start_##section[];                                                                    \
	WEAK extern const char __stop_##section[];
BOUNDS(__llvm_prf_data)
BOUNDS(__llvm_prf_cnts)
BOUNDS(__llvm_prf_bits)
BOUNDS(__llvm_prf_names)
BOUNDS(__llvm_prf_vtab)
BOUNDS(__llvm_prf_vns)
BOUNDS(__llvm_prf_vals)
BOUNDS(__llvm_prf_vnds)
extern const uint64_t __llvm_profile_raw_version;

#define SET(which, name)                                                                                               \
	image->section[which].start = __start_##name;                                                                  \
	image->section[which].size = (size_t)(__stop_##name - __start_##name)

static inline int image_of_program(struct bareprof_image *image)
{
	SET(BAREPROF_DATA, __llvm_prf_data);
	SET(BAREPROF_CNTS, __llvm_prf_cnts);
	SET(BAREPROF_BITS, __llvm_prf_bits);
	SET(BAREPROF_NAMES, __llvm_prf_names);
	SET(BAREPROF_VTAB, __llvm_prf_vtab);
	SET(BAREPROF_VNAMES, __llvm_prf_vns);
	SET(BAREPROF_VALS, __llvm_prf_vals);
	SET(BAREPROF_VNDS, __llvm_prf_vnds);
	return bareprof_image_init(image, __llvm_profile_raw_version);
}

#endif
