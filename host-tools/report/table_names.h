/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table_names.h - the names of files in a table: without the folders that all of them have in common.
 */
#ifndef BAREPROF_HOST_TABLE_NAMES_H
#define BAREPROF_HOST_TABLE_NAMES_H

#include "coverage_selection.h"

/* Starts as all zeros, and ends with table_names_free(). */
struct table_names {
	char **list; /* in the order of selection->files */
	size_t count;
	size_t width; /* the length of the longest name, in bytes, before the folders . and .. were removed */
};

/* table_names_make - fills in @names with the files of @selection. A single file keeps its whole name. */
void table_names_make(struct table_names *names, const struct coverage_selection *selection);
void table_names_free(struct table_names *names);

#endif
