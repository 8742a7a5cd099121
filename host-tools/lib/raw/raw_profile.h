/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_profile.h - a raw profile (.profraw) and its functions. Raw versions 5 to 11 are supported,
 * with any pointer width and byte order. raw_open.h finds profiles in a file, and bareprof/layout.h
 * has the record layouts.
 */
#ifndef BAREPROF_HOST_RAW_PROFILE_H
#define BAREPROF_HOST_RAW_PROFILE_H

#include "bytes.h"
#include "error.h"
#include "sites.h"

#include <bareprof/layout.h>

#define RAW_VALUE_KINDS PROFILE_KINDS

/*
 * A raw profile. A file can contain several raw profiles. All slices point into the file, with one exception: if
 * the profile has weak duplicates, the slice of records points to a corrected copy
 * (raw_weak_duplicates.h).
 */
struct raw_profile {
	uint64_t version_word;
	unsigned int version;
	unsigned int width; /* pointer width in bytes */
	bool big; /* big-endian */
	unsigned int counter_size; /* size in bytes: 8, or 1 for byte counters */
	uint64_t header[BAREPROF_HEADER_MAX];
	struct bytes section[BAREPROF_SECTIONS];
	struct bytes build_id; /* the first build id, without its length; empty: the profile has none */
	uint64_t records; /* number of records */
	size_t record_size;
	bool has_sites; /* at least one record has value sites */
	struct bytes values; /* value data */
	struct raw_weak_duplicates *weak_duplicates; /* NULL: the profile has no weak duplicates */
	size_t offset; /* offset of the profile in the file */
	size_t end; /* end of the profile, as an offset in the file; zeros after the profile belong to it */
};

/* A record, and the data to which it points. */
struct raw_function {
	uint64_t name; /* name hash */
	uint64_t hash; /* structural hash */
	uint64_t address; /* address of the function; 0: not known */
	struct bytes counters; /* the counters without the timestamp */
	size_t counter_count;
	uint64_t timestamp; /* in temporal profiles, the timestamp of the first call; 0: never called */
	struct bytes bitmap;
	unsigned int value_sites[RAW_VALUE_KINDS]; /* number of value sites of each kind */
};

/*
 * raw_function - reads record number @index of @profile into *@function. @index must be less than
 * profile->records. After a successful raw_open() this function cannot fail. Errors: INVALID_INPUT.
 */
enum status raw_function(
	const struct raw_profile *profile, uint64_t index, struct raw_function *function, struct error *error);

/* raw_no_name - reports that the names section does not have the name of record @index. Returns INVALID_INPUT. */
enum status raw_no_name(const struct raw_function *function, uint64_t index, struct error *error);

/*
 * raw_counter - returns counter number @i of @function. For a byte counter, returns 1 if its code
 * has run, otherwise 0. This function is inline so that loops over counters are fast.
 */
static inline uint64_t raw_counter(const struct raw_profile *profile, const struct raw_function *function, size_t i)
{
	if (profile->counter_size == 1)
		return !function->counters.data[i];
	return load_uint(function->counters.data + 8 * i, 8, profile->big);
}

/* raw_has_sites - returns whether @function has value sites, and therefore value data. */
bool raw_has_sites(const struct raw_function *function);

/*
 * raw_next_build_id - sets *@id to the first build id in *@rest, and removes this build id from
 * *@rest. Before the first call, *@rest is the whole section of build ids. Returns false if *@rest
 * contains no further build id. If *@rest then still has bytes, the section is damaged.
 */
bool raw_next_build_id(const struct raw_profile *profile, struct bytes *rest, struct bytes *id);

/*
 * raw_correlated - returns whether the profile has counters but no records. Then records and names
 * exist only in the ELF file.
 */
bool raw_correlated(const struct raw_profile *profile);

#endif
