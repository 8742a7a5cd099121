/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.h - reads the names section of a profile, and finds the name of a function by the name hash in its record.
 */
#ifndef BAREPROF_HOST_NAMES_H
#define BAREPROF_HOST_NAMES_H

#include "bytes.h"
#include "error.h"

struct name {
	uint64_t reference;
	struct bytes text;
};

/* The names of a section. Before its first use the struct is all zeros; names_free() frees its memory. */
struct names {
	struct name *list; /* names in the order of the section */
	size_t count;
	size_t room;
	uint32_t *table; /* hash table by name hash, with the index of each name plus 1; NULL: not made yet */
	size_t table_size; /* number of slots, a power of two */
	struct buffer storage;
};

/* names_read - unpacks the names section @bytes into @names. All names belong to @names. Errors: INVALID_INPUT. */
enum status names_read(struct names *names, struct bytes bytes, struct error *error);
/*
 * names_unpack - does the same as names_read(), but does not make the table that names_find()
 * needs. Use it if you need only names_near().
 */
enum status names_unpack(struct names *names, struct bytes bytes, struct error *error);
/* names_find - returns the name whose name hash is @reference, or NULL if there is none. */
const struct name *names_find(const struct names *names, uint64_t reference);
/*
 * names_near - returns the same name as names_find(), and sets *@at to the index after that name. First compares the
 * next few names from index *@at on. Searches the table only if none of these names has the name hash @reference. The
 * names are in the order of the records. So a caller that goes through all records in their order rarely needs this
 * search. Other names are between the names of two neighbouring records only if the linker dropped records.
 * names_find_near - does the same after names_read(), which has made the table.
 */
const struct name *names_near(struct names *names, uint64_t reference, size_t *at);
const struct name *names_find_near(const struct names *names, uint64_t reference, size_t *at);
void names_free(struct names *names);

#endif
