/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own_records.h - which functions have records in a program, that is, which functions a complete profile of it has. The
 * mapping alone does not tell: the linker can remove the record of a function and keep its mapping.
 */
#ifndef BAREPROF_HOST_OWN_RECORDS_H
#define BAREPROF_HOST_OWN_RECORDS_H

#include "model.h"

/* Starts as all zeros. own_records_free() frees it. */
struct own_records {
	struct model_key *list; /* sorted by name hash, then by structural hash */
	size_t count;
	bool read; /* own_records_read() was called */
	bool known; /* the program has records that can be read */
};

/*
 * own_records_read - reads the records of the program at @path, unless they were read before. A program whose records
 * cannot be read is no error.
 */
void own_records_read(struct own_records *records, const char *path);
void own_records_free(struct own_records *records);

/*
 * own_records_have_name - returns whether a record has the name hash @name.
 * own_records_have - returns whether a record has the name hash @name and the structural hash @hash.
 */
bool own_records_have_name(const struct own_records *records, uint64_t name);
bool own_records_have(const struct own_records *records, uint64_t name, uint64_t hash);

#endif
