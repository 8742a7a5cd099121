/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_json.h - coverage as JSON, the same text as `llvm-cov export -format=text` prints. Its format depends on the
 * release: LLVM 13 to 20 write the version 2.0.1, LLVM 21 3.0.1, and LLVM 22 3.1.0.
 */
#ifndef BAREPROF_HOST_COVERAGE_JSON_H
#define BAREPROF_HOST_COVERAGE_JSON_H

#include "coverage_selection.h"

/* Parts that the JSON leaves out. */
struct coverage_json_options {
	bool summary_only; /* it only has the summaries of the files, and their sum */
	bool skip_functions;
	/* Each expansion has all regions of its function, so this text can be hundreds of times as long as the rest. */
	bool skip_expansions;
};

/* coverage_json_write - puts the text to @output. If @output has an error, output_close() returns it. */
void coverage_json_write(
	const struct coverage_selection *selection, const struct coverage_json_options *options, struct output *output);

#endif
