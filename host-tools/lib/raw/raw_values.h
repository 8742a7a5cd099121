/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_values.h - reads the value data at the end of a raw profile.
 */
#ifndef BAREPROF_HOST_RAW_VALUES_H
#define BAREPROF_HOST_RAW_VALUES_H

#include "raw_profile.h"

/*
 * raw_values_take - takes the value data of record @index, which is @function, from the start of
 * *@rest. @sites, all zeros before, gets the sites of the record with their values as the target
 * stored them; for a weak duplicate it gets no sites. Free @sites with sites_clear(), also after
 * an error. If @sites is NULL, the data is only checked and skipped. Errors: INVALID_INPUT.
 */
enum status raw_values_take(const struct raw_profile *profile, const struct raw_function *function, uint64_t index,
	struct bytes *rest, struct sites *sites, struct error *error);

/*
 * raw_values_skip - sets *@size to the size of the value data of all records of @profile, which
 * starts at @rest. Errors: INVALID_INPUT.
 */
enum status raw_values_skip(const struct raw_profile *profile, struct bytes rest, size_t *size, struct error *error);

#endif
