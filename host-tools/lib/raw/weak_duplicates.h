/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak_duplicates.h - records of functions that are defined weak more than once.
 *
 * The linker takes the symbols of one definition and keeps the sections of all. So the
 * record of each other one, a double, says that its counters, its bitmap and its lists
 * of values are where those of the one in use are. It has its own, in which nothing
 * counts, and these are found again: they lie as the records do.
 */
#ifndef BAREPROF_HOST_WEAK_DUPLICATES_H
#define BAREPROF_HOST_WEAK_DUPLICATES_H

#include "bytes.h"

/* A part of a section, or of the image's memory. */
struct extent {
	uint64_t address;
	uint64_t size;
};

/* What a record says that it has. From the starts of the sections, in bytes. */
struct record_extents {
	uint64_t name;
	struct extent counters; /* of at least one byte */
	struct extent bitmap;
	uint64_t sites; /* of values: for each there is the head of a list */
};

/* A double, and where begins what is its own. */
struct weak_duplicate {
	uint64_t index;
	uint64_t prevailing; /* index of the record that is in use in its place */
	uint64_t counters;
	uint64_t bitmap;
	uint64_t list_heads; /* of lists of values, how many are before */
};

/* All duplicates, by index. All zeros: there are none. */
struct weak_duplicates {
	struct weak_duplicate *list;
	size_t count;
	uint64_t list_heads; /* of all records */
};

/*
 * weak_duplicates_find - the duplicates among the @count records whose sections have so many bytes
 * of @counters and @bitmaps. True if there are some, and if with what they get as their
 * own each record has its part of these sections and nothing is left over. If not, all
 * is as it was, and what is wrong is something else.
 */
bool weak_duplicates_find(struct weak_duplicates *duplicates, const struct record_extents *extents, size_t count,
	uint64_t counters, uint64_t bitmaps);
void weak_duplicates_free(struct weak_duplicates *duplicates);

/* weak_duplicates_get - what record @index has of its own if it is a double, else NULL. */
const struct weak_duplicate *weak_duplicates_get(const struct weak_duplicates *duplicates, uint64_t index);

#endif
