/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_check.h - counts that cannot be.
 */
#ifndef BAREPROF_HOST_RAW_CHECK_H
#define BAREPROF_HOST_RAW_CHECK_H

#include "raw_profile.h"

/*
 * No run counts as far as this. llvm-profdata does not believe it either; where
 * counters live in memory that nothing clears, this is what tells.
 */
#define RAW_COUNT_CREDIBLE (1ull << 56)

/* raw_incredible_count - refuse the @count, which is larger, of the function of record @index. Returns INVALID_INPUT. */
enum status raw_incredible_count(uint64_t count, uint64_t index, struct error *error);

/* raw_check_counts - refuse such counts in all functions of @profile. Errors: INVALID_INPUT. */
enum status raw_check_counts(const struct raw_profile *profile, struct error *error);

#endif
