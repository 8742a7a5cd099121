/* SPDX-License-Identifier: BSD-2-Clause */
/* report_outputs.h - the files and tables that `bareprof report` writes. */
#ifndef BAREPROF_HOST_REPORT_OUTPUTS_H
#define BAREPROF_HOST_REPORT_OUTPUTS_H

#include "report_views.h"

/* What the user wants. A path of "-" is standard output. */
struct report_outputs {
	const char *html_folder;
	const char *lcov_path;
	const char *cobertura_path;
	const char *json_path;
	const char *markdown_path;
	const char *base_path; /* an earlier report, with which the Markdown summary is compared */
	const char *diff_base;
	double fail_under; /* percent; below 0: not given */
	bool mcdc; /* show MC/DC in the table and in the HTML report */
	bool skip_expansions; /* in the JSON */
	bool with_llvm; /* llvm-cov makes the table, the LCOV text and the JSON */
	bool compare;
	bool summary_only; /* in the LCOV text and the JSON */
	struct report_views views; /* printed in place of the table */
	bool allow_torn;
	bool allow_incomplete;
};

/* report_outputs_check - checks that the outputs can be written, before the long work begins. Errors: SYSTEM, USAGE. */
enum status report_outputs_check(struct report *report, const struct report_outputs *outputs, struct error *error);

/*
 * report_outputs_write - writes all outputs. Errors: SYSTEM, INVALID_INPUT, USAGE, EXIT_BELOW_THRESHOLD, EXIT_WARNINGS.
 */
enum status report_outputs_write(struct report *report, const struct report_outputs *outputs, struct error *error);

#endif
