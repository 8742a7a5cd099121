/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_check.c - refuses counts that are higher than any program can count.
 */
#include "raw_check.h"

#include <inttypes.h>

enum status raw_incredible_count(uint64_t count, uint64_t index, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"has a count of %" PRIu64 " in function %" PRIu64
		", but no program counts that far: set the counters to their start value when the program starts",
		count, index);
}

/*
 * First looks for the largest count in the whole section, which is fast. Looks at single functions
 * only if that count is too large.
 */
enum status raw_check_counts(const struct raw_profile *profile, struct error *error)
{
	struct bytes counters = profile->section[BAREPROF_CNTS];
	struct raw_function function;
	uint64_t max = 0;
	uint64_t index;
	size_t i;

	for (i = 0; i + 8 <= counters.size; i += 8) {
		uint64_t count = load_uint(counters.data + i, 8, profile->big);

		max = count > max ? count : max;
	}
	/* Only counters of functions are checked. All other bytes of the section may have any value. */
	for (index = 0; max > RAW_COUNT_CREDIBLE && index < profile->records; index++)
		if (raw_function(profile, index, &function, error) == STATUS_OK)
			for (i = 0; i < function.counter_count; i++)
				if (raw_counter(profile, &function, i) > RAW_COUNT_CREDIBLE)
					return raw_incredible_count(raw_counter(profile, &function, i), index, error);
	return STATUS_OK;
}
