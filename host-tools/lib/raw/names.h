/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.h - the names section of a profile: from a record's name reference to
 * the function's name.
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
	uint32_t *table; /* hash table by reference: index + 1 in the list */
	size_t table_size; /* a power of two */
	struct buffer storage;
};

/* names_read - read the section @bytes; views point into @names. Errors: INVALID_INPUT. */
enum status names_read(struct names *names, struct bytes bytes, struct error *error);
/*
 * names_unpack - the same without the table that names_find() needs: for those who
 * look up by names_near() alone.
 */
enum status names_unpack(struct names *names, struct bytes bytes, struct error *error);
/* names_find - the name that @reference stands for, or NULL. */
const struct name *names_find(const struct names *names, uint64_t reference);
/*
 * names_near - the same; looks in the list from *@at on first and moves that behind
 * what it found. Names lie in the order of their records but for those that the
 * linker dropped, so a walk over all records rarely needs the table, or never.
 */
const struct name *names_near(struct names *names, uint64_t reference, size_t *at);
void names_free(struct names *names);

#endif
