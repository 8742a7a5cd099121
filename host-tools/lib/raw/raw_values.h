/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_values.h - the value data at the end of a raw profile.
 */
#ifndef BAREPROF_HOST_RAW_VALUES_H
#define BAREPROF_HOST_RAW_VALUES_H

#include "raw_profile.h"

/*
 * raw_values_take - the value data of record @index at the start of *@rest, which
 * moves behind it. @sites, all zeros before, gets the record's sites and what was
 * seen there, as the target stored it, but of a weak duplicate nothing: empty it with
 * sites_clear(), even after an error. NULL: only check. Errors: INVALID_INPUT.
 */
enum status raw_values_take(const struct raw_profile *profile, const struct raw_function *function, uint64_t index,
	struct bytes *rest, struct sites *sites, struct error *error);

/*
 * raw_values_skip - the length of the value data at the start of @rest that
 * belongs to all records of @profile. Errors: INVALID_INPUT.
 */
enum status raw_values_skip(const struct raw_profile *profile, struct bytes rest, size_t *size, struct error *error);

#endif
