/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_values.c - the value data at the end of a raw profile: a block for each
 * function that has value sites, in the order of the records.
 */
#include "raw.h"

#include <inttypes.h>

#define SIZES 8u /* total size and number of kinds, 32 bits each, start a block */
#define PAIR  16u /* a value and how often it came */

static bool has_sites(const struct raw_function *function)
{
	unsigned int kind;

	for (kind = 0; kind < RAW_VALUE_KINDS; kind++)
		if (function->value_sites[kind])
			return true;
	return false;
}

/* One kind's part at the start of *@rest: header, a count for each site, pairs. */
static bool skip_kind(const struct raw_profile *profile, const struct raw_function *function, struct bytes *rest)
{
	struct bytes counts;
	uint64_t pairs = 0;
	uint64_t header;
	uint64_t kind;
	uint64_t sites;
	size_t i;

	if (rest->size < SIZES)
		return false;
	kind = load(rest->data, 4, profile->big);
	sites = load(rest->data + 4, 4, profile->big);
	if (kind >= BAREPROF_VALUE_KINDS(profile->version) || sites != function->value_sites[kind] ||
		!part(*rest, SIZES, sites, &counts))
		return false;
	for (i = 0; i < counts.size; i++)
		pairs += counts.data[i];
	header = SIZES + sites + BAREPROF_PAD8(sites);
	/* At most 2^16 sites of 255 pairs: no overflow. */
	if (header + pairs * PAIR > rest->size)
		return false;
	rest->data += header + pairs * PAIR;
	rest->size -= (size_t)(header + pairs * PAIR);
	return true;
}

/* The block of one function at the start of @rest; 0 if it is malformed. */
static size_t block_size(const struct raw_profile *profile, const struct raw_function *function, struct bytes rest)
{
	uint64_t total;
	uint64_t kinds;
	size_t size;

	if (rest.size < SIZES)
		return 0;
	total = load(rest.data, 4, profile->big);
	kinds = load(rest.data + 4, 4, profile->big);
	if (total < SIZES || total % 8 || total > rest.size || kinds > BAREPROF_VALUE_KINDS(profile->version))
		return 0;
	size = (size_t)total;
	rest = (struct bytes){rest.data + SIZES, size - SIZES};
	while (kinds--)
		if (!skip_kind(profile, function, &rest))
			return 0;
	return size;
}

/*
 * Writers that have no value data end the file with 8 zero bytes, which LLVM's
 * tools read as "none" for every function. So does this.
 */
static bool is_none(struct bytes rest)
{
	return rest.size >= SIZES && !load(rest.data, SIZES, false);
}

enum status raw_values_skip(const struct raw_profile *profile, struct bytes rest, size_t *size, struct error *error)
{
	size_t all = rest.size;
	uint64_t i;

	for (i = 0; i < profile->records; i++) {
		struct raw_function function;
		size_t block;

		if (raw_function(profile, i, &function, error) != STATUS_OK)
			return STATUS_BAD;
		if (!has_sites(&function) || is_none(rest))
			continue;
		block = block_size(profile, &function, rest);
		if (!block && !rest.size)
			return error_set(error, STATUS_BAD,
				"has no value data, but function %" PRIu64
				" has value sites: compile with -mllvm -disable-vp=true",
				i);
		if (!block)
			return error_set(error, STATUS_BAD,
				"is malformed or cut short in the value data of function %" PRIu64, i);
		rest.data += block;
		rest.size -= block;
	}
	*size = all - rest.size;
	return STATUS_OK;
}
