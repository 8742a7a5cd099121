/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.h - the names section of a profile: finds the name of a function by the
 * reference in its record.
 */
#ifndef BAREPROF_HOST_NAMES_H
#define BAREPROF_HOST_NAMES_H

#include "bytes.h"
#include "error.h"

struct name {
	uint64_t reference;
	struct bytes text;
};

/* Starts as all zeros, ends with names_free(). */
struct names {
	struct name *list; /* in the order of the section */
	size_t count;
	size_t room;
	uint32_t *table; /* hash table by reference; an entry is an index in the list, plus 1. NULL: not made yet */
	size_t table_size; /* a power of two */
	struct buffer storage;
};

/* names_read - unpacks the section @bytes into @names, which owns all names. Errors: INVALID_INPUT. */
enum status names_read(struct names *names, struct bytes bytes, struct error *error);
/*
 * names_unpack - does the same as names_read(), without the table that names_find() needs, for
 * callers that use only names_near().
 */
enum status names_unpack(struct names *names, struct bytes bytes, struct error *error);
/* names_find - returns the name with @reference, or NULL. */
const struct name *names_find(const struct names *names, uint64_t reference);
/*
 * names_near - does the same as names_find(), but first compares the next names of the list, from
 * index *@at on. Moves *@at to the name after the one that it found. Names are in the order of
 * their records, except for names whose records the linker dropped, so a walk over all records
 * needs the table rarely or never.
 */
const struct name *names_near(struct names *names, uint64_t reference, size_t *at);
void names_free(struct names *names);

#endif
