/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain_pages.h - the pages of all findings: where each comes from, what it costs, and what to do.
 */
#ifndef BAREPROF_HOST_EXPLAIN_PAGES_H
#define BAREPROF_HOST_EXPLAIN_PAGES_H

#include "findings.h"

/* explain_page - returns lines of at most 80 characters, each ended by a newline. */
const char *explain_page(enum finding_id id);

#endif
