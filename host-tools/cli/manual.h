/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * manual.h - what the manual page says of commands, options and exit codes.
 */
#ifndef BAREPROF_HOST_MANUAL_H
#define BAREPROF_HOST_MANUAL_H

#include "options.h"

/*
 * manual_print - print the sections SYNOPSIS, COMMANDS and EXIT STATUS in mdoc
 * from the tables that parse the command line: @commands, and one text per exit
 * code, from 0 on; both end with NULL. docs/bareprof.1.in has the others.
 */
void manual_print(const struct command *const *commands, const char *const *exit_codes, const char *exit_remark);

#endif
