/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * records.h - finds the raw version of the records of an image. If records are wrong, finds the first wrong record, and
 * the kind of the fault.
 */
#ifndef BAREPROF_HOST_RECORDS_H
#define BAREPROF_HOST_RECORDS_H

#include "weak_duplicates.h"
#include "names.h"

#include <bareprof/layout.h>

struct record {
	uint64_t name; /* name hash */
	uint64_t hash; /* structural hash */
	uint64_t function; /* address of the function; 0: not known */
	struct extent counters; /* the address is the offset in the section; the size is in bytes */
	struct extent bitmap; /* the address is the offset in the section; the size is in bytes */
	uint64_t counter_count;
	unsigned int sites; /* number of value sites of all kinds */
	/* the value data of this record takes this many bytes in a .profraw, if no site has a value */
	uint64_t value_data;
	bool unset; /* the pointer to the counters is 0, which is always wrong */
};

enum records_state {
	RECORDS_FIT, /* all records fit one layout; some may be weak duplicates */
	RECORDS_MORE, /* all records fit, but some counters or bitmaps belong to no record */
	RECORDS_OVERLAP, /* all records fit, but @first and @second share counters or bitmaps */
	RECORDS_MIXED, /* the records from @first on have another version, @other */
	/* @bad records have counters or bitmaps outside of their section; the first of these records is @first */
	RECORDS_OUTSIDE,
	RECORDS_STRANGE, /* record @first does not fit any layout */
};

/*
 * The records of an image. The caller fills in the members above the empty line. records_detect_layout() fills in the
 * members below it. records_free() frees the memory.
 */
struct records {
	struct bytes bytes; /* content of the section of records */
	uint64_t address; /* address of the section of records */
	struct extent counters; /* address and size of the section of counters */
	struct extent bitmaps; /* address and size of the section of bitmaps */
	const struct names *names; /* names of the image; NULL: not available */
	unsigned int width; /* pointer width in bytes */
	bool big; /* big-endian */
	bool absolute; /* true: pointers are addresses in all versions, as in __llvm_covdata */
	uint64_t declared; /* version word that the image declares; 0: none */
	unsigned int clang; /* newest clang release that compiled a part of the image; 0: not known */

	enum records_state state;
	unsigned int version; /* raw version of all records, or of the records before @first; 0: not known */
	unsigned int other;
	size_t count; /* number of records; 0: no layout fits all records */
	size_t first; /* index of a record; enum records_state describes that record for each state */
	size_t second;
	size_t first_at; /* offset of record @first */
	size_t bad;
	bool unset; /* true: in all @bad records, the pointer to the counters is 0 */
	uint64_t unowned; /* size in bytes of counters and bitmaps that belong to no record */
	struct weak_duplicates weak_duplicates;
};

/* records_detect_layout - finds the layout that fits all records, or the reason why there is none, and sets @state. */
void records_detect_layout(struct records *records);
void records_free(struct records *records);

/*
 * records_get - reads record number @index by the record layout of @version. The record of a weak
 * duplicate is returned as it is in the section. Returns false if the record is not completely
 * inside the section.
 */
bool records_get(const struct records *records, unsigned int version, size_t index, struct record *record);

/*
 * record_at - does the same as records_get() for the record at offset @at.
 * record_fits - returns whether the counters and the bitmap of @record are inside their sections.
 * The counters must not be empty, and they must be aligned.
 * record_known - returns whether the names section has the name of @record.
 */
bool record_at(const struct records *records, unsigned int version, size_t at, struct record *record);
bool record_fits(const struct records *records, const struct record *record);
bool record_known(const struct records *records, const struct record *record);

#endif
