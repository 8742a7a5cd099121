/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_lcov.h - coverage in the text format of LCOV, the same text as `llvm-cov export -format=lcov` prints.
 */
#ifndef BAREPROF_HOST_COVERAGE_LCOV_H
#define BAREPROF_HOST_COVERAGE_LCOV_H

#include "coverage_selection.h"
#include "lcov.h"

/* Parts that the text leaves out. */
struct lcov_options {
	bool summary_only; /* it only has numbers of functions, branches and lines for each file */
	bool skip_functions;
	bool skip_branches;
};

/*
 * coverage_lcov_write - puts the text to @output. Errors: INVALID_INPUT (a damaged mapping has too many lines). If
 * @output has an error, output_close() returns it.
 */
enum status coverage_lcov_write(const struct coverage_selection *selection, const struct lcov_options *options,
	struct output *output, struct error *error);

/*
 * coverage_lcov - fills in @lcov with the lines and branches of the same text. @lcov is all zeros before. Errors:
 * INVALID_INPUT (a damaged mapping has too many lines).
 */
enum status coverage_lcov(const struct coverage_selection *selection, struct lcov *lcov, struct error *error);

#endif
