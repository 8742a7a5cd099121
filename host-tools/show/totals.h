/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * totals.h - the numbers of functions, counters and value sites in a profile, and of the
 * functions and counters that ran.
 */
#ifndef BAREPROF_HOST_TOTALS_H
#define BAREPROF_HOST_TOTALS_H

#include "raw_profile.h"
#include "versions.h"

struct totals {
	uint64_t functions;
	uint64_t
		/* number of functions with at least one counter that is not zero, not necessarily the first counter */
		functions_run;
	uint64_t counters;
	uint64_t counters_run; /* number of counters that are not zero */
	uint64_t highest; /* maximum of all counts */
	uint64_t sum; /* sum of all counts; stays at 2^64 - 1 instead of overflowing */
	uint64_t bitmap_bytes;
	uint64_t sites[PROFILE_KINDS];
	enum hashes hashes;
};

/* totals_of_model - sets *@totals to the totals of @model. */
void totals_of_model(struct totals *totals, const struct model *model);

/*
 * totals_of_raw - opens a raw profile as raw_open() does, and computes its totals in a fraction of the time that
 * reading it into a model takes. The names of records are checked in the same way as when a profile is read into a
 * model. *@certain is set to false if two records may have the same name. In this case, only a model gives the right
 * totals. Errors: INVALID_INPUT.
 */
enum status totals_of_raw(struct totals *totals, struct raw_profile *profile, struct bytes file, size_t offset,
	bool *certain, struct error *error);

#endif
