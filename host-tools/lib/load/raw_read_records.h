/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_read_records.h - adds a raw profile to a model, function by function.
 */
#ifndef BAREPROF_HOST_RAW_READ_RECORDS_H
#define BAREPROF_HOST_RAW_READ_RECORDS_H

#include "section_sums.h"
#include "profile_read.h"
#include "raw_profile.h"

/*
 * raw_read_records - adds the functions of @profile to @model. raw_open() must have
 * opened @profile. If @profile is a member of a struct section_sum, @sum is this struct.
 * Otherwise @sum is NULL. Errors: INVALID_INPUT; the text names a function.
 */
enum status raw_read_records(struct model *model, const struct raw_profile *profile, const struct read_options *options,
	const struct section_sum *sum, struct error *error);

#endif
