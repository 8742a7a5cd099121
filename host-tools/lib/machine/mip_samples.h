/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_samples.h - makes edges of the call graph from the samples of return addresses in a raw profile.
 */
#ifndef BAREPROF_HOST_MIP_SAMPLES_H
#define BAREPROF_HOST_MIP_SAMPLES_H

#include "mip_raw.h"

/*
 * mip_samples_add - adds the samples in @raw to the edges of @profile. mip_raw_fits() must have accepted @raw. Samples
 * of entries outside of the section, which a module may take, are left out with a sentence in @note, and so are the
 * samples that were replaced because the ring was full. Errors: INVALID_INPUT if a sample names a place within the
 * section which is not the entry of a function with samples, or if a ring cannot have this size.
 */
enum status mip_samples_add(
	struct mip_profile *profile, const struct mip_raw *raw, struct buffer *note, struct error *error);

/* mip_samples_join - sorts the edges by callee and call site, and adds up the samples of equal edges. */
void mip_samples_join(struct mip_profile *profile);

#endif
