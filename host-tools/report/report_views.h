/* SPDX-License-Identifier: BSD-2-Clause */
/* report_views.h - the views of `bareprof report`, which it prints in place of the table, and its Markdown summary. */
#ifndef BAREPROF_HOST_REPORT_VIEWS_H
#define BAREPROF_HOST_REPORT_VIEWS_H

#include "coverage_base.h"
#include "report.h"

struct report_views {
	const char *const *show; /* files and functions whose source is shown; ends with NULL */
	bool uncovered;
	bool functions;
	bool totals;
	bool folders;
	size_t folder_rows; /* see folder_table_add() */
};

/* report_views_any - returns whether there is a view to print. */
bool report_views_any(const struct report_views *views);

/*
 * report_views_print - prints the views. Errors: INVALID_INPUT (views->show has a name that means nothing or several
 * things; then nothing is printed).
 */
enum status report_views_print(struct report *report, const struct report_views *views, struct error *error);

/* report_markdown - writes the summary to @path. @base may be NULL. Errors: SYSTEM. */
enum status report_markdown(struct report *report, const char *path, struct coverage_base *base, struct error *error);

#endif
