/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_table.h - the records of a program, wherever they come from.
 */
#ifndef BAREPROF_HOST_RECORD_TABLE_H
#define BAREPROF_HOST_RECORD_TABLE_H

#include "error.h"
#include "raw_write.h"
#include "weak_duplicates.h"

/* What the records are by one version word. */
struct record_table {
	struct record_table *next;
	uint64_t requested_version_word; /* the word: its low half may be 0 */
	uint64_t version_word; /* the same with its low half known */
	enum status status; /* not OK: the error says why */
	struct error error;
	struct raw_record *functions; /* with neither value sites nor addresses moved */
	size_t count;
	uint64_t sites; /* value sites of all */
	struct weak_duplicates weak_duplicates; /* of the records; functions have what is their own */
	struct bytes names; /* section of names */
	struct buffer debug_names; /* these, if they are made of debug information */
};

#endif
