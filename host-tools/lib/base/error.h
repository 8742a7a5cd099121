/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * error.h - how functions report errors: a function puts one line of text into a struct error and
 * returns a status.
 */
#ifndef BAREPROF_HOST_ERROR_H
#define BAREPROF_HOST_ERROR_H

#include <stddef.h>

/*
 * The results of library functions. The program bareprof also uses these numbers as exit codes.
 * cli/exit.h has the other exit codes of the program.
 */
enum status {
	STATUS_OK = 0,
	STATUS_INVALID_INPUT = 1, /* the input is damaged, incomplete or of the wrong kind */
	STATUS_USAGE = 2,
	STATUS_SYSTEM = 3, /* a file cannot be opened, the disk is full, a tool is missing */
};

struct error {
	char text[4000];
};

/* The end of messages about damaged files. This text tells the user how to get an undamaged file. */
#define HINT_FETCH_AGAIN "; copy the file again from the machine that made it"

/*
 * error_set - formats a sentence into @error and returns @status. Replaces control characters by '?', because a name
 * from a hostile file can contain them. Control characters could harm a terminal or break the line.
 */
enum status error_set(struct error *error, enum status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * die_of_memory - calls bareprof_out_of_memory(), which does not return. A function that gets no memory calls
 * die_of_memory() instead of returning an error, for three reasons. No caller could continue without the memory. The
 * size of an input limits the size of every allocation. An error path for each allocation would never run, so it would
 * never be tested.
 */
_Noreturn void die_of_memory(void);

/* printable - replaces control characters in @text by '?', in place. */
void printable(char *text);

#endif
