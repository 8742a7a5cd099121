/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exit.h - how the program ends: its exit codes, and the line that says why.
 */
#ifndef BAREPROF_HOST_EXIT_H
#define BAREPROF_HOST_EXIT_H

#include "error.h"

/* Exit codes of commands, beside those that the library returns. */
#define EXIT_GUEST_FAILED    ((enum status)4) /* the guest failed without a status of its own */
#define EXIT_TIMEOUT         ((enum status)5)
#define EXIT_BELOW_THRESHOLD ((enum status)6) /* coverage is below --fail-under */
#define EXIT_WARNINGS        ((enum status)7) /* check found warnings, but no errors */

/*
 * error_print - print "bareprof: SUBJECT: TEXT." to standard error as one line.
 * complain - the same for a sentence that is made on the spot. @subject, a file
 * name as a rule, may be NULL.
 */
void error_print(const char *subject, const struct error *error);
void complain(const char *subject, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
