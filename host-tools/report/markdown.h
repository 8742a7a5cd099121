/* SPDX-License-Identifier: BSD-2-Clause */
/* markdown.h - a summary in Markdown, for the page that a CI service shows for a job. */
#ifndef BAREPROF_HOST_MARKDOWN_H
#define BAREPROF_HOST_MARKDOWN_H

#include "coverage_base.h"
#include "report_view.h"

/*
 * markdown_add - appends the totals and the files with most missing lines. If @base is not NULL, it also appends the
 * changes since that report, and the files with more missing lines than there. Only files of @base that view->filter
 * takes are compared. If no file of @base has the name of a file of the report, the names are compared without the
 * folders that all have in common, because two jobs can use different folders.
 */
void markdown_add(struct buffer *text, const struct report_view *view, struct coverage_base *base);

#endif
