/* SPDX-License-Identifier: BSD-2-Clause */
/* report_compare.h - compares the report with the one that llvm-cov makes. */
#ifndef BAREPROF_HOST_REPORT_COMPARE_H
#define BAREPROF_HOST_REPORT_COMPARE_H

#include "report.h"

/*
 * report_compare - makes the table, the LCOV text and the JSON (without expansions, whose text can be huge) with llvm-cov,
 * too, and prints the first difference of each. Call it after report_tools(). Errors: SYSTEM, INVALID_INPUT,
 * EXIT_WARNINGS (there is a difference).
 */
enum status report_compare(struct report *report, struct error *error);

#endif
