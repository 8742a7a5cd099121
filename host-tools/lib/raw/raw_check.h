/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_check.h - refuses counts that are higher than any program can count.
 */
#ifndef BAREPROF_HOST_RAW_CHECK_H
#define BAREPROF_HOST_RAW_CHECK_H

#include "raw_profile.h"

/*
 * The highest count that is accepted. No run can reach a higher count, and llvm-profdata refuses
 * such counts too. A higher count shows that the memory of the counters was never cleared.
 */
#define RAW_COUNT_CREDIBLE (1ull << 56)

/*
 * raw_incredible_count - reports that record @index has the count @count, which is above
 * RAW_COUNT_CREDIBLE. Returns INVALID_INPUT.
 */
enum status raw_incredible_count(uint64_t count, uint64_t index, struct error *error);

/*
 * raw_check_counts - checks that no count of a function in @profile is above RAW_COUNT_CREDIBLE.
 * Errors: INVALID_INPUT.
 */
enum status raw_check_counts(const struct raw_profile *profile, struct error *error);

#endif
