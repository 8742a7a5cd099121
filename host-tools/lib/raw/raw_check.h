/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_check.h - refuses counts that no program reaches.
 */
#ifndef BAREPROF_HOST_RAW_CHECK_H
#define BAREPROF_HOST_RAW_CHECK_H

#include "raw_profile.h"

/*
 * No run counts above this. llvm-profdata refuses such counts as well. A count above this shows
 * that the counters are in memory that was never cleared.
 */
#define RAW_COUNT_CREDIBLE (1ull << 56)

/* raw_incredible_count - reports a @count above RAW_COUNT_CREDIBLE in record @index. Returns INVALID_INPUT. */
enum status raw_incredible_count(uint64_t count, uint64_t index, struct error *error);

/* raw_check_counts - checks all counts of all functions of @profile. Errors: INVALID_INPUT. */
enum status raw_check_counts(const struct raw_profile *profile, struct error *error);

#endif
