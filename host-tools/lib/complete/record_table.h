/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_table.h - the records of a program, which come from sections or from debug information.
 */
#ifndef BAREPROF_HOST_RECORD_TABLE_H
#define BAREPROF_HOST_RECORD_TABLE_H

#include "error.h"
#include "raw_write.h"
#include "weak_duplicates.h"

/* The records of a program, read for one version word. */
struct record_table {
	struct record_table *next; /* the next table in the list, for another version word */
	/* the version word with which program_records() was called; its version number may be 0 */
	uint64_t requested_version_word;
	/* a copy of @requested_version_word in which the version number is the raw version of the records */
	uint64_t version_word;
	enum status status;
	struct error error; /* the error, if @status is not OK */
	/*
	 * The functions. Their value sites are left out, and their addresses are the ones to which
	 * the program was linked. A weak duplicate has its own counters here.
	 */
	struct raw_record *functions;
	size_t count;
	size_t nameless; /* number of functions without a name in @names */
	uint64_t sites; /* number of value sites of all functions */
	struct weak_duplicates weak_duplicates;
	struct bytes names; /* content of the names section */
	struct buffer debug_names; /* the memory of @names, if the names come from debug information */
};

#endif
