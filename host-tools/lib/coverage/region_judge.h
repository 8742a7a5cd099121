/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region_judge.h - finds counts that are impossible, and sets them to 0. A difference of counters is below 0, and so 2^63
 * or more, if the counters were copied while code counted.
 */
#ifndef BAREPROF_HOST_REGION_JUDGE_H
#define BAREPROF_HOST_REGION_JUDGE_H

#include "region.h"

/* What is wrong with the counts of a function, from good to bad. */
enum counts_verdict {
	COUNTS_POSSIBLE,
	/* A difference is below 0 because of a constant condition. That is no fault of the counters, see region_judge.c. */
	COUNTS_CONSTANT,
	/* A difference is below 0 because clang counts from a switch that can never run, see dead_switch.h. */
	COUNTS_DEAD_SWITCH,
	COUNTS_ABOVE, /* code ran more often than the code around it, see region_flow.h */
	COUNTS_NEGATIVE, /* a difference of counters is below 0 */
	COUNTS_HUGE, /* a counter is 2^63 or more */
};

/*
 * regions_judge - sets the counts of @regions that are 2^63 or more to 0, and returns the worst fault. Counts that are
 * too high in another way stay, because nobody knows which of them is wrong. regions_count() must have computed the
 * counts from @counters.
 */
enum counts_verdict regions_judge(struct function_regions *regions, const uint64_t *counters, size_t count);

#endif
