/* SPDX-License-Identifier: BSD-2-Clause */
/* function_table.h - tables of functions, and of totals. */
#ifndef BAREPROF_HOST_FUNCTION_TABLE_H
#define BAREPROF_HOST_FUNCTION_TABLE_H

#include "report_view.h"

/*
 * function_table_add - appends a table of all functions. Those with most missing lines come first, then those with most
 * missing regions, branches and MC/DC conditions. Each instantiation has a row of its own.
 */
void function_table_add(struct buffer *text, const struct report_view *view);

/* totals_table_add - appends a table with one row for each kind of coverage, and the total of all files. */
void totals_table_add(struct buffer *text, const struct report_view *view);

/* report_view_total - sets @total to the sum of @count files. */
void report_view_total(
	const struct report_view *view, const uint32_t *files, size_t count, struct coverage_summary *total);

#endif
