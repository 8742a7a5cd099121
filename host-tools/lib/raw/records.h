/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * records.h - tell from the records of an image which raw version they are of,
 * or where and how they go wrong.
 */
#ifndef BAREPROF_HOST_RECORDS_H
#define BAREPROF_HOST_RECORDS_H

#include "weak_duplicates.h"
#include "names.h"

#include <bareprof/layout.h>

struct record {
	uint64_t name;
	uint64_t hash;
	uint64_t function; /* address; 0: not told */
	struct extent counters; /* from the start of their section; in bytes */
	struct extent bitmap;
	uint64_t counter_count;
	unsigned int sites; /* of values */
	uint64_t value_data; /* bytes of it in a .profraw, if no site has a value */
	bool unset; /* its pointer to the counters is 0, which none can be */
};

enum records_state {
	RECORDS_FIT, /* some of them perhaps as weak duplicates */
	RECORDS_MORE, /* they fit, but there are counters or bitmaps that no record has */
	RECORDS_OVERLAP, /* they fit, but two share bytes: first and second */
	RECORDS_MIXED, /* from first on they are of the version other */
	RECORDS_OUTSIDE, /* the counters or bitmap of first, and of more, are not in their section */
	RECORDS_STRANGE, /* first fits no layout */
};

/* The upper part is to be filled in, then records_detect_layout() does the lower. Ends with records_free(). */
struct records {
	struct bytes bytes;
	uint64_t address;
	struct extent counters;
	struct extent bitmaps;
	const struct names *names; /* NULL: not to be had */
	unsigned int width;
	bool big;
	bool absolute; /* pointers are addresses in all versions, as in __llvm_covdata */
	uint64_t declared; /* version word; 0: none */
	unsigned int clang; /* newest release that compiled any of it; 0: not known */

	enum records_state state;
	unsigned int version; /* of all, or of those before first; 0: not known */
	unsigned int other;
	size_t count; /* in all; 0 if the version is not known for all */
	size_t first;
	size_t second;
	size_t first_at; /* offset */
	size_t bad; /* how many are outside */
	bool unset; /* and so is the pointer of all those */
	uint64_t unowned; /* bytes of counters and bitmaps that no record has */
	struct weak_duplicates weak_duplicates;
};

void records_detect_layout(struct records *records);
void records_free(struct records *records);

/* records_get - the record number @index of @version, of a weak duplicate what it says; false if it is not there whole. */
bool records_get(const struct records *records, unsigned int version, size_t index, struct record *record);

/*
 * record_at - the same by its offset. record_fits - are its counters and bitmap
 * in their sections? record_known - is there a name for it?
 */
bool record_at(const struct records *records, unsigned int version, size_t at, struct record *record);
bool record_fits(const struct records *records, const struct record *record);
bool record_known(const struct records *records, const struct record *record);

#endif
