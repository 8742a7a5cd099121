/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_table.h - the records of a program, from sections or from debug information.
 */
#ifndef BAREPROF_HOST_RECORD_TABLE_H
#define BAREPROF_HOST_RECORD_TABLE_H

#include "error.h"
#include "raw_write.h"
#include "weak_duplicates.h"

/* The records, read for one version word. */
struct record_table {
	struct record_table *next; /* the table for another version word */
	uint64_t requested_version_word; /* the version word that was asked for; its version number may be 0 */
	uint64_t version_word; /* the requested version word with the version number of the records */
	enum status status;
	struct error error; /* if @status is not OK */
	struct raw_record *functions; /* without value sites; addresses as linked; each with its own counters */
	size_t count;
	uint64_t sites; /* number of value sites of all functions */
	struct weak_duplicates weak_duplicates;
	struct bytes names; /* section of names */
	struct buffer debug_names; /* owns @names if they come from debug information */
};

#endif
