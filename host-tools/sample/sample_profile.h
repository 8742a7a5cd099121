/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_profile.h - makes LLVM's sample profiles from samples. */
#ifndef BAREPROF_HOST_SAMPLE_PROFILE_H
#define BAREPROF_HOST_SAMPLE_PROFILE_H

#include "probes.h"
#include "sample_program.h"
#include "sampleprof.h"

/* What became of the samples. */
struct sample_losses {
	double used; /* samples in functions that are in the profile */
	double left_samples; /* samples in functions without probes, or without lines */
	double no_code; /* samples in no function, or in one whose code cannot be read */
	size_t functions; /* functions with samples */
	size_t functions_left; /* of them: those that are not in the profile */
};

/*
 * sample_probe_profile - makes a probe profile of @samples, which must be sorted, in @profile, which must be empty.
 * @probes are the probes of @program.
 */
void sample_probe_profile(struct sampleprof *profile, const struct sample_program *program,
	const struct samples *samples, const struct probes *probes, struct sample_losses *losses);

/*
 * sample_line_profile - makes a line profile, as sample_probe_profile() makes a probe profile. Returns false if @program
 * has no debug information.
 */
bool sample_line_profile(struct sampleprof *profile, const struct sample_program *program,
	const struct samples *samples, struct sample_losses *losses);

/* sample_scaled - returns the count for the profile. A count above 0 stays above 0. */
uint64_t sample_scaled(double count);

#endif
