/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * records.h - finds out the raw version of the records of an image, or where and how the records
 * are wrong.
 */
#ifndef BAREPROF_HOST_RECORDS_H
#define BAREPROF_HOST_RECORDS_H

#include "weak_duplicates.h"
#include "names.h"

#include <bareprof/layout.h>

struct record {
	uint64_t name; /* reference to the name */
	uint64_t hash; /* structural hash */
	uint64_t function; /* address; 0: not known */
	struct extent counters; /* in bytes from the start of the section */
	struct extent bitmap; /* in bytes from the start of the section */
	uint64_t counter_count;
	unsigned int sites; /* value sites of all kinds */
	uint64_t value_data; /* size of the value data of this record in a .profraw if no site has a value */
	bool unset; /* the pointer to the counters is 0, which cannot be right */
};

enum records_state {
	RECORDS_FIT, /* all fit; some may be weak duplicates */
	RECORDS_MORE, /* all fit, but some counters or bitmaps belong to no record */
	RECORDS_OVERLAP, /* all fit, but records @first and @second share bytes */
	RECORDS_MIXED, /* from record @first on the records have version @other */
	RECORDS_OUTSIDE, /* the counters or bitmaps of @bad records are outside of their section; the first one is @first */
	RECORDS_STRANGE, /* record @first fits no layout */
};

/* The caller fills in the upper part, records_detect_layout() the lower one. Ends with records_free(). */
struct records {
	struct bytes bytes; /* the section of records */
	uint64_t address; /* address of the section of records */
	struct extent counters; /* their section */
	struct extent bitmaps; /* their section */
	const struct names *names; /* NULL: not available */
	unsigned int width; /* of a pointer, bytes */
	bool big; /* big-endian */
	bool absolute; /* pointers are addresses in all versions, as in __llvm_covdata */
	uint64_t declared; /* version word that the image declares; 0: none */
	unsigned int clang; /* newest release that compiled a part of the image; 0: not known */

	enum records_state state;
	unsigned int version; /* of all records, or of those before @first; 0: not known */
	unsigned int other;
	size_t count; /* of all records; 0 unless all fit */
	size_t first; /* index */
	size_t second;
	size_t first_at; /* offset of record @first */
	size_t bad;
	bool unset; /* the pointers of all @bad records are 0 */
	uint64_t unowned; /* bytes of counters and bitmaps that belong to no record */
	struct weak_duplicates weak_duplicates;
};

/* records_detect_layout - finds the layout that fits all records, and sets the state. */
void records_detect_layout(struct records *records);
void records_free(struct records *records);

/*
 * records_get - reads record @index by the layout of @version, the record of a weak duplicate as
 * it is stored. Returns false if the record is not completely inside the section.
 */
bool records_get(const struct records *records, unsigned int version, size_t index, struct record *record);

/*
 * record_at - does the same as records_get() for the record at offset @at. record_fits - returns
 * whether the counters and the bitmap of @record are inside their sections. record_known -
 * returns whether the name of @record is known.
 */
bool record_at(const struct records *records, unsigned int version, size_t at, struct record *record);
bool record_fits(const struct records *records, const struct record *record);
bool record_known(const struct records *records, const struct record *record);

#endif
