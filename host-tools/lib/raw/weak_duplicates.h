/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak_duplicates.h - records of functions that are defined weak more than once.
 *
 * The linker takes the symbols of one definition, the prevailing one, and keeps the
 * sections of all. So the record of each other definition, a duplicate, points to the
 * counters, the bitmap and the lists of values of the prevailing one. It has its own, in
 * which nothing counts, and these are found again: they lie in the order of the records.
 */
#ifndef BAREPROF_HOST_WEAK_DUPLICATES_H
#define BAREPROF_HOST_WEAK_DUPLICATES_H

#include "bytes.h"

/* A part of a section, or of the image's memory. */
struct extent {
	uint64_t address;
	uint64_t size;
};

/* What a record points to. From the starts of the sections, in bytes. */
struct record_extents {
	uint64_t name;
	struct extent counters; /* of at least one byte */
	struct extent bitmap;
	uint64_t sites; /* of values: for each there is the head of a list */
};

/* A duplicate, and where what belongs to it begins. */
struct weak_duplicate {
	uint64_t index;
	uint64_t prevailing; /* index of the record that is in use in its place */
	uint64_t counters;
	uint64_t bitmap;
	uint64_t list_heads; /* of values: how many there are before its own */
};

/* All duplicates, by index. All zeros: there are none. */
struct weak_duplicates {
	struct weak_duplicate *list;
	size_t count;
	uint64_t list_heads; /* of all records */
};

/*
 * weak_duplicates_find - the duplicates among the @count records whose sections have
 * @counters and @bitmaps bytes. True if there are some, and if with their own extents
 * the records cover both sections exactly. Otherwise *@duplicates is as it was, and the
 * fault is a different one.
 */
bool weak_duplicates_find(struct weak_duplicates *duplicates, const struct record_extents *extents, size_t count,
	uint64_t counters, uint64_t bitmaps);
void weak_duplicates_free(struct weak_duplicates *duplicates);

/* weak_duplicates_get - the duplicate that is record @index, or NULL. */
const struct weak_duplicate *weak_duplicates_get(const struct weak_duplicates *duplicates, uint64_t index);

#endif
