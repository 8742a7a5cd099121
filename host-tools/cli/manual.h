/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * manual.h - prints the sections of the manual page that describe commands, options and exit
 * codes.
 */
#ifndef BAREPROF_HOST_MANUAL_H
#define BAREPROF_HOST_MANUAL_H

#include "options.h"

/*
 * manual_print - prints the sections SYNOPSIS, COMMANDS and EXIT STATUS in mdoc.
 * @commands are the tables that also parse the command line. @exit_codes has one text for
 * each exit code, from 0 on. Both arrays end with NULL. @exit_remark is a sentence that
 * follows the exit codes. The other sections are in docs/bareprof.1.in.
 */
void manual_print(const struct command *const *commands, const char *const *exit_codes, const char *exit_remark);

#endif
