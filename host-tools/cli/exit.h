/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exit.h - the exit codes of the program, and functions that print its errors.
 */
#ifndef BAREPROF_HOST_EXIT_H
#define BAREPROF_HOST_EXIT_H

#include "error.h"

#include <stdbool.h>

/* Exit codes of commands. The codes of the library's enum status are exit codes too. */
#define EXIT_GUEST_FAILED    ((enum status)4) /* the guest failed and reported no status */
#define EXIT_TIMEOUT         ((enum status)5)
#define EXIT_BELOW_THRESHOLD ((enum status)6) /* coverage, or the counts that fit, are below --fail-under */
/* `check` found warnings but no errors, or `report` made a report that is incomplete or has impossible counts */
#define EXIT_WARNINGS ((enum status)7)

/*
 * error_print - prints "bareprof: SUBJECT: TEXT" to standard error as one line. complain - prints the same line, and
 * formats TEXT as printf() does. @subject is usually a file name and may be NULL. Control characters are replaced, so
 * that the line is safe for a terminal.
 */
void error_print(const char *subject, const struct error *error);
void complain(const char *subject, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * messages_ask - lets @filter decide about each message before it is printed. @filter gets the message as one line, without
 * "bareprof: " and without the newline, and returns false to suppress it. For commands that own the terminal. NULL ends it.
 */
void messages_ask(bool (*filter)(void *context, const char *message), void *context);

#endif
