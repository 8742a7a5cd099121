/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_profile.h - a raw profile (.profraw) of raw version 5 to 11 with any pointer
 * width and byte order, and its functions. raw_open.h finds profiles in a file.
 * bareprof/layout.h has the record layouts.
 */
#ifndef BAREPROF_HOST_RAW_PROFILE_H
#define BAREPROF_HOST_RAW_PROFILE_H

#include "bytes.h"
#include "error.h"
#include "sites.h"

#include <bareprof/layout.h>

#define RAW_VALUE_KINDS PROFILE_KINDS

/*
 * One profile of a file, which can hold several. All slices point into the file, except for the
 * records if there are weak duplicates (raw_weak_duplicates.h).
 */
struct raw_profile {
	uint64_t version_word;
	unsigned int version;
	unsigned int width; /* of a pointer, bytes */
	bool big; /* big-endian */
	unsigned int counter_size; /* 8, or 1 for byte counters */
	uint64_t header[BAREPROF_HEADER_MAX];
	struct bytes section[BAREPROF_SECTIONS];
	struct bytes build_id; /* the first one, without its length; empty: none */
	uint64_t records; /* number of records */
	size_t record_size;
	bool has_sites; /* at least one record has value sites */
	struct bytes values; /* value data */
	struct raw_weak_duplicates *weak_duplicates; /* NULL: there are none */
	size_t offset; /* in the file */
	size_t end; /* offset in the file after the profile and the zeros that follow it */
};

/* One record, and the data that belong to its function. */
struct raw_function {
	uint64_t name; /* reference to the name */
	uint64_t hash; /* structural hash */
	uint64_t address; /* of the function; 0: not known */
	struct bytes counters; /* without the timestamp */
	size_t counter_count;
	uint64_t timestamp; /* of the first call, in temporal profiles; 0: never called */
	struct bytes bitmap;
	unsigned int value_sites[RAW_VALUE_KINDS]; /* number of sites */
};

/*
 * raw_function - reads record @index (less than profile->records) of @profile. After raw_open()
 * it cannot fail. Errors: INVALID_INPUT.
 */
enum status raw_function(
	const struct raw_profile *profile, uint64_t index, struct raw_function *function, struct error *error);

/* raw_no_name - reports that the names section lacks the name of record @index. Returns INVALID_INPUT. */
enum status raw_no_name(const struct raw_function *function, uint64_t index, struct error *error);

/* raw_counter - returns counter @i of @function; a byte counter gives 1 for "ran", else 0. Inline for fast loops. */
static inline uint64_t raw_counter(const struct raw_profile *profile, const struct raw_function *function, size_t i)
{
	if (profile->counter_size == 1)
		return !function->counters.data[i];
	return load_uint(function->counters.data + 8 * i, 8, profile->big);
}

/* raw_has_sites - returns whether @function has value sites, and therefore value data. */
bool raw_has_sites(const struct raw_function *function);

/*
 * raw_next_build_id - takes the next build id from *@rest, which starts as the whole section.
 * Returns false at the end, and where the section is damaged: then *@rest is not empty.
 */
bool raw_next_build_id(const struct raw_profile *profile, struct bytes *rest, struct bytes *id);

/* raw_correlated - returns whether the profile has counters but no records: these and the names are in the ELF file. */
bool raw_correlated(const struct raw_profile *profile);

#endif
