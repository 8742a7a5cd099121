/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak_duplicates.h - finds the records of functions that have several weak definitions.
 *
 * The linker takes the symbols of one definition, the prevailing one, but keeps the sections of
 * all. So the record of each other definition, a weak duplicate, points to the counters, the
 * bitmap and the value lists of the prevailing one. The counters of the weak duplicate itself
 * exist, but no code counts in them. They can be found because counters are in the order of the
 * records.
 */
#ifndef BAREPROF_HOST_WEAK_DUPLICATES_H
#define BAREPROF_HOST_WEAK_DUPLICATES_H

#include "bytes.h"

/* A part of a section, or of the image's memory. */
struct extent {
	uint64_t address;
	uint64_t size;
};

/* The extents that a record points to, in bytes from the starts of the sections. */
struct record_extents {
	uint64_t name; /* reference to the name */
	struct extent counters; /* not empty */
	struct extent bitmap;
	uint64_t sites; /* number of value sites: each has the head of a value list */
};

/* A duplicate, and the offsets of its own data in their sections. */
struct weak_duplicate {
	uint64_t index; /* of its record */
	uint64_t prevailing; /* index of the record of the prevailing definition */
	uint64_t counters; /* bytes */
	uint64_t bitmap; /* bytes */
	uint64_t list_heads; /* number of heads of value lists before those of this duplicate */
};

/* All duplicates, sorted by index. All zeros: there are none. */
struct weak_duplicates {
	struct weak_duplicate *list;
	size_t count;
	uint64_t list_heads; /* number of heads of value lists of all records */
};

/*
 * weak_duplicates_find - finds the duplicates among @count records whose sections have @counters
 * and @bitmaps bytes. Returns true if there are duplicates, and if the records fill both sections
 * exactly when each duplicate has its own extents. Otherwise *@duplicates is unchanged, and the
 * records have another fault.
 */
bool weak_duplicates_find(struct weak_duplicates *duplicates, const struct record_extents *extents, size_t count,
	uint64_t counters, uint64_t bitmaps);
void weak_duplicates_free(struct weak_duplicates *duplicates);

/* weak_duplicates_get - returns the duplicate with record @index, or NULL. */
const struct weak_duplicate *weak_duplicates_get(const struct weak_duplicates *duplicates, uint64_t index);

#endif
