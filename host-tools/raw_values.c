/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_values.c - the value data at the end of a raw profile: a block for each
 * function that has value sites, in the order of the records.
 */
#include "raw.h"

#include <inttypes.h>

#define SIZES 8u /* total size and number of kinds, 32 bits each, start a block */
#define PAIR  16u /* a value and how often it came */

/*
 * One kind's part at the start of *@rest: header, a count for each site, pairs.
 * Into @sites, if there are any to be filled.
 */
static bool take_kind(
	const struct raw_profile *profile, const struct raw_function *function, struct bytes *rest, struct sites *sites)
{
	struct bytes counts;
	struct bytes pairs;
	uint64_t pair_count = 0;
	uint64_t header;
	uint64_t kind;
	uint64_t count;
	size_t at = 0;
	size_t i;
	size_t j;

	if (rest->size < SIZES)
		return false;
	kind = load(rest->data, 4, profile->big);
	count = load(rest->data + 4, 4, profile->big);
	if (kind >= BAREPROF_VALUE_KINDS(profile->version) || count != function->value_sites[kind] ||
		!part(*rest, SIZES, count, &counts))
		return false;
	for (i = 0; i < counts.size; i++)
		pair_count += counts.data[i];
	header = SIZES + count + BAREPROF_PAD8(count);
	/* At most 2^16 sites of 255 pairs: no overflow. */
	if (!part(*rest, header, pair_count * PAIR, &pairs))
		return false;
	rest->data += header + pairs.size;
	rest->size -= (size_t)header + pairs.size;
	/* A kind that comes twice was filled already. */
	for (i = 0; sites && i < counts.size && !sites->site[kind][i].values; i++) {
		struct site *site = &sites->site[kind][i];

		if (!counts.data[i])
			continue;
		*site = (struct site){allocate(counts.data[i], sizeof(*site->values)), counts.data[i]};
		for (j = 0; j < site->count; j++, at += PAIR)
			site->values[j] = (struct value){
				load(pairs.data + at, 8, profile->big), load(pairs.data + at + 8, 8, profile->big)};
	}
	return true;
}

/* The block of one function at the start of @rest; its size, 0 if it is malformed. */
static size_t take_block(
	const struct raw_profile *profile, const struct raw_function *function, struct bytes rest, struct sites *sites)
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
		if (!take_kind(profile, function, &rest, sites))
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

bool raw_has_sites(const struct raw_function *function)
{
	unsigned int kind;

	for (kind = 0; kind < RAW_VALUE_KINDS; kind++)
		if (function->value_sites[kind])
			return true;
	return false;
}

enum status raw_values_take(const struct raw_profile *profile, const struct raw_function *function, uint64_t index,
	struct bytes *rest, struct sites *sites, struct error *error)
{
	size_t size;

	if (!raw_has_sites(function) || is_none(*rest))
		return STATUS_OK;
	size = take_block(profile, function, *rest, sites);
	if (!size && !rest->size)
		return error_set(error, STATUS_BAD,
			"has no value data, but function %" PRIu64
			" has value sites: compile with -mllvm -disable-vp=true",
			index);
	if (!size)
		return error_set(
			error, STATUS_BAD, "is malformed or cut short in the value data of function %" PRIu64, index);
	rest->data += size;
	rest->size -= size;
	return STATUS_OK;
}

enum status raw_values_skip(const struct raw_profile *profile, struct bytes rest, size_t *size, struct error *error)
{
	size_t all = rest.size;
	uint64_t i;

	for (i = 0; i < profile->records; i++) {
		struct raw_function function;

		if (raw_function(profile, i, &function, error) != STATUS_OK ||
			raw_values_take(profile, &function, i, &rest, NULL, error) != STATUS_OK)
			return STATUS_BAD;
	}
	*size = all - rest.size;
	return STATUS_OK;
}
