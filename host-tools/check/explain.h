/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain.h - prints the page of a finding.
 */
#ifndef BAREPROF_HOST_EXPLAIN_H
#define BAREPROF_HOST_EXPLAIN_H

#include "error.h"

/*
 * explain - prints the page of the finding with the id @word on standard output. If @word is "list", prints the ids
 * with their meanings. Also accepts the ids of the previous version of bareprof. If no finding has the id, prints an
 * error and returns USAGE.
 */
enum status explain(const char *word);

#endif
