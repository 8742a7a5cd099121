/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_convert.h - converts a raw profile to another raw version.
 */
#ifndef BAREPROF_HOST_RAW_CONVERT_H
#define BAREPROF_HOST_RAW_CONVERT_H

#include "bytes.h"
#include "error.h"
#include "completion.h"

struct raw_target {
	unsigned int version;
	/* the LLVM release that must be able to read the result; 0: all releases that read @version */
	unsigned int release;
	struct completion_options completion; /* options for profiles without records */
	bool drop_build_ids;
};

/*
 * raw_convert - converts all raw profiles in @file to the version of @target, and appends them to @out. @file must
 * contain at least one profile. Counters, names and values stay the same, and so do the addresses to which values
 * refer. The addresses of sections change. As in all results of raw_write(), the records are at address 0, and the
 * counters follow them. This does no harm, because readers use only the differences of these addresses. A profile that
 * already has the target version is copied. Only its weak duplicates change: their records then point to their own
 * counters (weak_duplicates.h). Errors: INVALID_INPUT if the profile is damaged, or if it has data that the target
 * version cannot hold; the text names this data. USAGE if the version does not exist, or if the release cannot read it.
 */
enum status raw_convert(struct buffer *out, struct bytes file, const struct raw_target *target, struct error *error);

#endif
