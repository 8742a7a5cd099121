/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_convert.h - say a raw profile in another raw version.
 */
#ifndef BAREPROF_HOST_RAW_CONVERT_H
#define BAREPROF_HOST_RAW_CONVERT_H

#include "bytes.h"
#include "error.h"
#include "completion.h"

struct raw_target {
	unsigned int version;
	unsigned int release; /* of LLVM, which shall read it; 0: all that read the version */
	struct completion_options completion; /* profiles that come without records */
	bool drop_build_ids;
};

/*
 * raw_convert - append to @out what the raw profiles in @file, one or more, are in
 * the version of @target. Counters, names, values and the addresses that values
 * need are the same. What only says where the sections were in the target's
 * memory is not: readers use differences alone, so as in all that raw_write()
 * makes, the records lie at address 0 and the counters behind them. A profile
 * that has the version already is copied as it is, but for records of functions that
 * are defined weak more than once: those say then what is theirs (weak_duplicates.h).
 * Errors: INVALID_INPUT (damaged, or it has what the version cannot hold, which is named),
 * USAGE (no such version, or the release does not read it).
 */
enum status raw_convert(struct buffer *out, struct bytes file, const struct raw_target *target, struct error *error);

#endif
