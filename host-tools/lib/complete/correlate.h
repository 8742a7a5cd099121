/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * correlate.h - complete a profile whose records and names are in the ELF file:
 * in sections of it that are not loaded, or in its debug information.
 */
#ifndef BAREPROF_HOST_CORRELATE_H
#define BAREPROF_HOST_CORRELATE_H

#include "completion.h"
#include "raw_profile.h"

/*
 * correlate - append to @out the raw profile that @profile would be if it had its
 * records and names, which are taken from its program. Errors: INVALID_INPUT (no program is its
 * own, or has them, or they do not fit).
 */
enum status correlate(struct buffer *out, const struct raw_profile *profile,
	const struct completion_options *completion, struct error *error);

#endif
