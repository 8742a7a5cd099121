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
	unsigned int release; /* the LLVM release that will read the result; 0: all that read @version */
	struct completion_options completion; /* for profiles without records */
	bool drop_build_ids;
};

/*
 * raw_convert - converts the raw profiles in @file (at least one) to the version of @target, and
 * appends them to @out. Counters, names, values and the addresses that values need stay the same.
 * The addresses of sections change, which does not matter, because readers only use their
 * differences: as in all results of raw_write(), the records are at address 0 and the counters
 * after them. A profile that already has the version is copied. Only the records of weak
 * duplicates in it change: they then point to their own counters (weak_duplicates.h). Errors:
 * INVALID_INPUT (the profile is damaged or has data that the version cannot hold, which the
 * message names), USAGE (no such version, or the release does not read it).
 */
enum status raw_convert(struct buffer *out, struct bytes file, const struct raw_target *target, struct error *error);

#endif
