/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_profile.h - a raw profile (.profraw) of versions 5 to 11, of either pointer
 * width and byte order, and its functions. raw_open.h finds them in a file. The
 * layouts are those of bareprof/layout.h.
 */
#ifndef BAREPROF_HOST_RAW_PROFILE_H
#define BAREPROF_HOST_RAW_PROFILE_H

#include "bytes.h"
#include "error.h"
#include "sites.h"

#include <bareprof/layout.h>

#define RAW_VALUE_KINDS PROFILE_KINDS

/*
 * One profile of a file, which can hold several. All views point into the file, but
 * that of records where there are weak duplicates.
 */
struct raw_profile {
	uint64_t version_word;
	unsigned int version;
	unsigned int width; /* of a pointer */
	bool big; /* byte order */
	unsigned int counter_size; /* 8, or 1 */
	uint64_t header[BAREPROF_HEADER_MAX];
	struct bytes section[BAREPROF_SECTIONS];
	struct bytes build_id; /* the first, without its length; empty: none */
	uint64_t records;
	size_t record_size;
	bool has_sites; /* some record has value sites */
	struct bytes values; /* value data */
	struct raw_weak_duplicates
		*weak_duplicates; /* NULL: no function is defined weak more than once (raw_weak_duplicates.h) */
	size_t offset; /* in the file */
	size_t end; /* offset of what follows, zeros skipped */
};

/* One record with what belongs to it. */
struct raw_function {
	uint64_t name;
	uint64_t hash;
	uint64_t address; /* of the function; 0: not told */
	struct bytes counters; /* without the timestamp */
	size_t counter_count;
	uint64_t timestamp; /* of temporal profiles; 0: never called */
	struct bytes bitmap;
	unsigned int value_sites[RAW_VALUE_KINDS];
};

/*
 * raw_function - the record @index (less than profile->records) of a profile.
 * After raw_open() it does not fail. Errors: INVALID_INPUT.
 */
enum status raw_function(
	const struct raw_profile *profile, uint64_t index, struct raw_function *function, struct error *error);

/* raw_no_name - complain that the names section does not have the name of record @index. Returns INVALID_INPUT. */
enum status raw_no_name(const struct raw_function *function, uint64_t index, struct error *error);

/* raw_counter - counter @i of @function; byte counters are 1 for "ran", else 0. Here for those who add up all. */
static inline uint64_t raw_counter(const struct raw_profile *profile, const struct raw_function *function, size_t i)
{
	if (profile->counter_size == 1)
		return !function->counters.data[i];
	return load_uint(function->counters.data + 8 * i, 8, profile->big);
}

/* raw_has_sites - has it value sites, and so value data? */
bool raw_has_sites(const struct raw_function *function);

/*
 * raw_next_build_id - take the next id from *@rest, which starts as the whole
 * section; false at its end, or where it is damaged: then *@rest is not empty.
 */
bool raw_next_build_id(const struct raw_profile *profile, struct bytes *rest, struct bytes *id);

/* raw_correlated - counters without records: those and the names are in the ELF file. */
bool raw_correlated(const struct raw_profile *profile);

#endif
