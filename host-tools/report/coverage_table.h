/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_table.h - the coverage of files as a table, the same text as `llvm-cov report` prints.
 */
#ifndef BAREPROF_HOST_COVERAGE_TABLE_H
#define BAREPROF_HOST_COVERAGE_TABLE_H

#include "coverage_selection.h"

/* The columns that llvm-cov prints without options: a bit for each rate. */
#define TABLE_COLUMNS (1u << RATE_REGIONS | 1u << RATE_FUNCTIONS | 1u << RATE_LINES | 1u << RATE_BRANCHES)

struct table_options {
	unsigned int columns; /* a bit for each rate, 1u << RATE_X; functions and lines are always shown */
	bool empty_files; /* files without functions are shown too, after the others */
	bool colours; /* numbers have colours, as escape sequences */
};

/*
 * coverage_table - appends the table to @text, and sets @total to the sum of all files. Control characters in the names
 * of files become '?'.
 */
void coverage_table(const struct coverage_selection *selection, const struct table_options *options,
	struct buffer *text, struct coverage_summary *total);

#endif
