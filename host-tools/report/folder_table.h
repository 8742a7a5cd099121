/* SPDX-License-Identifier: BSD-2-Clause */
/* folder_table.h - the coverage of folders and files as a tree. */
#ifndef BAREPROF_HOST_FOLDER_TABLE_H
#define BAREPROF_HOST_FOLDER_TABLE_H

#include "report_view.h"

/*
 * folder_table_add - appends a tree of folders with the sums of their files. Those with most missing lines come first. A
 * folder in which nothing is missing is one row, and files without functions are left out. If @rows is above 0, the
 * tree has about that many rows: the folders with most missing lines are opened, and of each only the worst rows are
 * shown. If it is 0, all other folders are opened.
 */
void folder_table_add(struct buffer *text, const struct report_view *view, size_t rows);

#endif
