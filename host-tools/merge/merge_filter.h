/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_filter.h - the options --function and --no-function of merge, which keep or remove functions by their names.
 */
#ifndef BAREPROF_HOST_MERGE_FILTER_H
#define BAREPROF_HOST_MERGE_FILTER_H

#include "bytes.h"
#include "error.h"

#include <bareprof/profile.h>

/* The regular expressions of one option. */
struct name_patterns {
	const char *option;
	struct name_pattern *list;
	size_t count;
	size_t room;
};

/* A function is kept if its name matches at least one pattern of @keep, or @keep is empty, and no pattern of @drop. */
struct merge_filter {
	struct name_patterns keep;
	struct name_patterns drop;
	struct buffer scratch; /* a copy of the name that is being compared */
};

/* merge_filter_add - adds @text, a pattern of the command line, to the struct name_patterns @custom. Returns true. */
bool merge_filter_add(const char *text, void *custom);

/* merge_filter_compile - compiles all patterns. Prints the error. Errors: USAGE. */
enum status merge_filter_compile(struct merge_filter *filter);

/*
 * merge_filter_apply - removes functions from @profile, and prints how many were kept. Does nothing if there are no
 * patterns. @is_shard tells that the profile has only a part of the functions, so that a pattern may match none of them.
 * Prints the error. Errors: INVALID_INPUT if a pattern matches no function, or if no function is left.
 */
enum status merge_filter_apply(struct merge_filter *filter, struct bareprof_profile *profile, bool is_shard);
void merge_filter_free(struct merge_filter *filter);

#endif
