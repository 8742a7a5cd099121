/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_counters.h - makes a machine profile from counters of clang. */
#ifndef BAREPROF_HOST_MIP_COUNTERS_H
#define BAREPROF_HOST_MIP_COUNTERS_H

#include "image.h"
#include "mip_profile.h"
#include "model.h"

/* The functions of the counters that the machine profile lacks, because the program has no functions of their names. */
struct mip_counters_lost {
	size_t functions;
	size_t ran; /* number of those that ran */
};

/*
 * mip_counters_convert - makes @profile, which must be empty, from @model and the symbols of @image. model_sort() must
 * have been called. @profile has the functions that occur in both. Errors: INVALID_INPUT if there is none, or if the
 * build ids differ.
 */
enum status mip_counters_convert(struct mip_profile *profile, const struct model *model, const struct image *image,
	struct mip_counters_lost *lost, struct error *error);

/*
 * mip_counters_load - reads the profile at @path and makes @profile from it, with the program at @elf_path. Prints
 * errors and notes. The caller frees @profile with mip_profile_free(), also after an error. Errors: SYSTEM,
 * INVALID_INPUT.
 */
enum status mip_counters_load(struct mip_profile *profile, const char *path, const char *elf_path);

#endif
