/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * totals.h - how much there is in a profile, and how much of it ran.
 */
#ifndef BAREPROF_HOST_TOTALS_H
#define BAREPROF_HOST_TOTALS_H

#include "raw_profile.h"
#include "versions.h"

struct totals {
	uint64_t functions;
	uint64_t functions_run; /* any counter is not zero: not all kinds count the entry */
	uint64_t counters;
	uint64_t counters_run;
	uint64_t highest; /* count */
	uint64_t sum; /* of all counts, saturating */
	uint64_t bitmap_bytes;
	uint64_t sites[PROFILE_KINDS];
	enum hashes hashes;
};

void totals_of_model(struct totals *totals, const struct model *model);

/*
 * totals_of_raw - raw_open(), and count in a fraction of the time that a model
 * takes. Each record's name is looked up all the same. *@certain is false if two
 * records may have one name: then only a model can tell. Errors: INVALID_INPUT.
 */
enum status totals_of_raw(struct totals *totals, struct raw_profile *profile, struct bytes file, size_t offset,
	bool *certain, struct error *error);

#endif
