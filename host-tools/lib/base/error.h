/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * error.h - how the program says that something is wrong: libraries fill a
 * struct error and return a status, commands print it. One line each time.
 */
#ifndef BAREPROF_HOST_ERROR_H
#define BAREPROF_HOST_ERROR_H

#include <stddef.h>

/* What library functions return, and what the program exits with. */
enum status {
	STATUS_OK = 0,
	STATUS_BAD = 1, /* the input is damaged, incomplete or of the wrong kind */
	STATUS_USAGE = 2,
	STATUS_SYSTEM = 3, /* cannot open, disk full, a tool is missing */
	STATUS_GUEST = 4, /* the guest failed without a status of its own */
	STATUS_TIMEOUT = 5,
	STATUS_BELOW = 6, /* coverage is below --fail-under */
	STATUS_WARNINGS = 7, /* check found warnings, but no errors */
};

struct error {
	char text[4000];
};

/* What to do about a file that somebody else damaged. */
#define GET_AGAIN "; get it again from where it was made"

/*
 * error_set - put a sentence into @error and return @status. Characters that
 * could harm a terminal or break the line are replaced: what is quoted may come
 * from a hostile file.
 */
enum status error_set(struct error *error, enum status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * error_print - print "bareprof: SUBJECT: TEXT." to standard error as one line.
 * complain - the same for a sentence that is made on the spot. @subject, a file
 * name as a rule, may be NULL.
 */
void error_print(const char *subject, const struct error *error);
void complain(const char *subject, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * die_of_memory - there is none left: bareprof_out_of_memory(), which does not
 * return. Every allocation is bounded by the size of an input, and no caller
 * could go on without one; returning that from each of them would be many
 * paths that are never taken and so never right.
 */
_Noreturn void die_of_memory(void);

/* printable - replace control characters in @text by '?', in place. */
void printable(char *text);

#endif
