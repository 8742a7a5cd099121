/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * error.h - how a function says that something is wrong: it fills a struct
 * error with one line of text and returns a status.
 */
#ifndef BAREPROF_HOST_ERROR_H
#define BAREPROF_HOST_ERROR_H

#include <stddef.h>

/* What library functions return. The program exits with these and with those of cli/exit.h. */
enum status {
	STATUS_OK = 0,
	STATUS_INVALID_INPUT = 1, /* the input is damaged, incomplete or of the wrong kind */
	STATUS_USAGE = 2,
	STATUS_SYSTEM = 3, /* cannot open, disk full, a tool is missing */
};

struct error {
	char text[4000];
};

/* What to do about a file that somebody else damaged. */
#define HINT_FETCH_AGAIN "; get it again from where it was made"

/*
 * error_set - put a sentence into @error and return @status. Characters that
 * could harm a terminal or break the line are replaced: what is quoted may come
 * from a hostile file.
 */
enum status error_set(struct error *error, enum status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

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
