/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_values.c - reads the value data at the end of a raw profile. The value data consists of
 * a block for each function that has value sites, in the order of the records.
 */
#include "raw_values.h"
#include "raw_weak_duplicates.h"
#include "value_block.h"

#include <inttypes.h>

#define NONE_SIZE 8u

/*
 * Returns whether @rest starts with 8 zero bytes. Writers that have no value data write these bytes at the end of the
 * file. LLVM's tools then read every function as if it had no values. In this case, the functions get no value sites,
 * although the records contain numbers of value sites. These numbers are not used, because a small file could contain
 * large numbers, and the sites would need much memory.
 */
static bool is_none(struct bytes rest)
{
	return rest.size >= NONE_SIZE && !load_uint(rest.data, NONE_SIZE, false);
}

enum status raw_values_take(const struct raw_profile *profile, const struct raw_function *function, uint64_t index,
	struct bytes *rest, struct sites *sites, struct error *error)
{
	uint32_t counts[PROFILE_KINDS];
	unsigned int kind;
	bool none = is_none(*rest);

	if (!raw_has_sites(function))
		return STATUS_OK;
	if (!rest->size)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no value data, but function %" PRIu64
			" has value sites: compile with -mllvm -disable-vp=true",
			index);
	if (!none && !value_block_take(rest, profile->big, BAREPROF_VALUE_KINDS_OF(profile->version), counts, sites))
		return error_set(error, STATUS_INVALID_INPUT,
			"is malformed or cut short in the value data of function %" PRIu64 HINT_FETCH_AGAIN, index);
	for (kind = 0; !none && kind < RAW_VALUE_KINDS; kind++)
		if (counts[kind] && counts[kind] != function->value_sites[kind])
			return error_set(error, STATUS_INVALID_INPUT,
				"is malformed: the value data of function %" PRIu64
				" and its record differ in the number of sites" HINT_FETCH_AGAIN,
				index);
	if (sites && raw_is_weak_duplicate(profile, index))
		sites_forget(sites);
	return STATUS_OK;
}

enum status raw_values_skip(const struct raw_profile *profile, struct bytes rest, size_t *size, struct error *error)
{
	size_t all = rest.size;
	bool none = false;
	uint64_t i;

	for (i = 0; i < profile->records; i++) {
		struct raw_function function;

		if (raw_function(profile, i, &function, error) != STATUS_OK)
			return STATUS_INVALID_INPUT;
		none = none || (raw_has_sites(&function) && is_none(rest));
		if (raw_values_take(profile, &function, i, &rest, NULL, error) != STATUS_OK)
			return STATUS_INVALID_INPUT;
		none = none || (raw_has_sites(&function) && is_none(rest));
	}
	*size = all - rest.size + (none ? NONE_SIZE : 0);
	return STATUS_OK;
}
