/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * error.h - how functions report errors: they fill a struct error with one line
 * of text and return a status.
 */
#ifndef BAREPROF_HOST_ERROR_H
#define BAREPROF_HOST_ERROR_H

#include <stddef.h>

/* Results of library functions. They are also exit codes of the program; cli/exit.h has the others. */
enum status {
	STATUS_OK = 0,
	STATUS_INVALID_INPUT = 1, /* the input is damaged, incomplete or of the wrong kind */
	STATUS_USAGE = 2,
	STATUS_SYSTEM = 3, /* a file cannot be opened, the disk is full, a tool is missing */
};

struct error {
	char text[4000];
};

/* Ends a message about a damaged file with what the user can do. */
#define HINT_FETCH_AGAIN "; get it again from where it was made"

/*
 * error_set - puts a sentence into @error and returns @status. Control characters are
 * replaced by '?': a quoted name may come from a hostile file, and must neither harm a
 * terminal nor break the line.
 */
enum status error_set(struct error *error, enum status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * die_of_memory - calls bareprof_out_of_memory(), which does not return. The size of every
 * allocation is limited by the size of an input, and no caller could go on without that memory.
 * An error path for each allocation would never run, and would therefore never be tested.
 */
_Noreturn void die_of_memory(void);

/* printable - replaces control characters in @text by '?', in place. */
void printable(char *text);

#endif
