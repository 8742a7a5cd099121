/* SPDX-License-Identifier: BSD-2-Clause */
/* function_summary.h - the numbers of covered regions, lines, branches and conditions of a function. */
#ifndef BAREPROF_HOST_FUNCTION_SUMMARY_H
#define BAREPROF_HOST_FUNCTION_SUMMARY_H

#include "coverage.h"

/* function_summary - fills in function->summary from @regions, the regions of @function. */
void function_summary(
	struct coverage *coverage, struct coverage_function *function, const struct function_regions *regions);

#endif
