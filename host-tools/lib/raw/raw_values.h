/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_values.h - reads the value data at the end of a raw profile.
 */
#ifndef BAREPROF_HOST_RAW_VALUES_H
#define BAREPROF_HOST_RAW_VALUES_H

#include "raw_profile.h"

/*
 * raw_values_take - reads the value data of record @index at the start of *@rest, and moves *@rest
 * to the end of that data. @function is that record. Stores the value sites in @sites, with the
 * values that the target recorded. A weak duplicate gets sites without values. @sites must be all
 * zeros before, and the caller frees it with sites_clear(), also after an error. If @sites is NULL,
 * the value data is only checked and skipped. Errors: INVALID_INPUT.
 */
enum status raw_values_take(const struct raw_profile *profile, const struct raw_function *function, uint64_t index,
	struct bytes *rest, struct sites *sites, struct error *error);

/*
 * raw_values_skip - checks the value data of the whole @profile, which is at the start of @rest, and
 * sets *@size to the size of this data in bytes. Errors: INVALID_INPUT.
 */
enum status raw_values_skip(const struct raw_profile *profile, struct bytes rest, size_t *size, struct error *error);

#endif
