/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak_duplicates.h - finds weak duplicates: records of functions that have several weak
 * definitions.
 * The linker takes the symbols of one definition, which is the prevailing definition, but keeps the
 * sections of all definitions. Therefore the record of each other definition, a weak duplicate,
 * points to the counters, the bitmap and the value lists of the prevailing definition.
 * The weak duplicate's own counters exist, but no code counts in them. A record's own counters can be found, because
 * counters are in the order of the records.
 */
#ifndef BAREPROF_HOST_WEAK_DUPLICATES_H
#define BAREPROF_HOST_WEAK_DUPLICATES_H

#include "bytes.h"

/* A part of a section, or a part of the image's memory. */
struct extent {
	uint64_t address;
	uint64_t size;
};

/* The extents to which a record points. Their addresses are offsets in bytes from the start of the section. */
struct record_extents {
	uint64_t name; /* name hash */
	struct extent counters; /* the extent must not be empty, because every record has counters */
	struct extent bitmap;
	uint64_t sites; /* number of value sites; each site has the head of a value list */
};

/* A weak duplicate, and the start of its own data in each section. */
struct weak_duplicate {
	uint64_t index; /* index of the weak duplicate's record */
	uint64_t prevailing; /* index of the record of the prevailing definition */
	uint64_t counters; /* offset of its own counters in bytes */
	uint64_t bitmap; /* offset in bytes of its own bitmap */
	uint64_t list_heads; /* total number of value list heads of all records before this record */
};

/* The weak duplicates of a profile or image, sorted by index. If all members are zero, there are none. */
struct weak_duplicates {
	struct weak_duplicate *list;
	size_t count;
	uint64_t list_heads; /* total number of value list heads of all records */
};

/*
 * weak_duplicates_find - finds the weak duplicates among @count records. @counters and @bitmaps are
 * the sizes of the sections in bytes. Returns true if there are weak duplicates, and if
 * the records' own extents fill both sections exactly. Otherwise something else is wrong with the
 * records, and *@duplicates is unchanged.
 */
bool weak_duplicates_find(struct weak_duplicates *duplicates, const struct record_extents *extents, size_t count,
	uint64_t counters, uint64_t bitmaps);
void weak_duplicates_free(struct weak_duplicates *duplicates);

/* weak_duplicates_get - returns the weak duplicate whose record has the index @index, or NULL. */
const struct weak_duplicate *weak_duplicates_get(const struct weak_duplicates *duplicates, uint64_t index);

#endif
