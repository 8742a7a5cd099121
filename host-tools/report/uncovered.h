/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uncovered.h - lists what did not run, in lines that an editor can follow: "FILE:LINE: TEXT".
 */
#ifndef BAREPROF_HOST_UNCOVERED_H
#define BAREPROF_HOST_UNCOVERED_H

#include "report_view.h"

/*
 * uncovered_add - appends a line for each function that never ran, each range of lines that did not run, each condition
 * that was never true or never false, and each condition of an MC/DC decision that has no pair of test vectors. Files
 * with most missing lines come first, and within a file the order is that of the source. Counts in view->newer the files
 * whose lines may have moved.
 */
void uncovered_add(struct buffer *text, struct report_view *view);

#endif
