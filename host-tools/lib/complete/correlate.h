/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * correlate.h - completes a profile whose records and names exist only in the ELF file, in sections
 * that are not loaded or in debug information.
 */
#ifndef BAREPROF_HOST_CORRELATE_H
#define BAREPROF_HOST_CORRELATE_H

#include "completion.h"
#include "raw_profile.h"

/*
 * correlate - adds the records and names of the program to @profile, and appends the result to @out
 * as a raw profile. Errors: INVALID_INPUT if the program is not among @completion->programs, has no
 * records and names, or does not fit the profile.
 */
enum status correlate(struct buffer *out, const struct raw_profile *profile,
	const struct completion_options *completion, struct error *error);

#endif
