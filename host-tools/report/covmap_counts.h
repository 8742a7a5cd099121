/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * covmap_counts.h - the counts that the regions of a function get from its counters, as llvm-cov computes them.
 */
#ifndef BAREPROF_HOST_COVMAP_COUNTS_H
#define BAREPROF_HOST_COVMAP_COUNTS_H

#include "bytes.h"

enum covmap_counts {
	COUNTS_POSSIBLE,
	COUNTS_CONSTANT, /* a difference is below 0 because of a constant condition, and stands for 0 */
	COUNTS_NEGATIVE, /* a difference of counters is below 0 */
	COUNTS_HUGE, /* a counter is 2^63 or more */
};

/*
 * covmap_judge - computes the counts of all @regions from the @count @counters of their function, and returns the worst
 * result. Returns COUNTS_POSSIBLE for two errors that llvm-cov reports itself: damaged regions, and regions that need
 * counters which the function does not have.
 */
enum covmap_counts covmap_judge(struct bytes regions, const uint64_t *counters, size_t count);

/* covmap_zero - appends @regions to @output, changed so that all counts are 0 that covmap_judge() finds. */
void covmap_zero(struct bytes regions, const uint64_t *counters, size_t count, struct buffer *output);

#endif
