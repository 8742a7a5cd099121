/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain.h - prints the page of a finding.
 */
#ifndef BAREPROF_HOST_EXPLAIN_H
#define BAREPROF_HOST_EXPLAIN_H

#include "error.h"

/*
 * explain - prints the page of the finding with the id @word on standard output, or for "list" the ids with
 * their meanings. An id of the last version is known too. Prints the error. Errors: USAGE, if no finding has the id.
 */
enum status explain(const char *word);

#endif
