/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_records.h - one raw profile, function by function.
 */
#ifndef BAREPROF_HOST_RAW_RECORDS_H
#define BAREPROF_HOST_RAW_RECORDS_H

#include "bulk.h"
#include "profiles.h"
#include "raw_profile.h"

/*
 * raw_add_records - add the functions of @profile, from raw_open(), to @model. @sum
 * is what was summed up in bulk, and then @profile is a view of that; or NULL.
 * Errors: INVALID_INPUT, with function.
 */
enum status raw_add_records(struct model *model, const struct raw_profile *profile, const struct read_options *options,
	const struct bulk_image *sum, struct error *error);

#endif
