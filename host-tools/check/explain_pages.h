/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain_pages.h - the pages of all findings: the cause, the consequences and the remedy of each finding.
 */
#ifndef BAREPROF_HOST_EXPLAIN_PAGES_H
#define BAREPROF_HOST_EXPLAIN_PAGES_H

#include "findings.h"

/* explain_page - returns the page of a finding, as lines that end with a newline. */
const char *explain_page(enum finding_id id);

#endif
