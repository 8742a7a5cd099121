/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * terminal.h - finds out whether escape sequences may be printed, and prints text that must not contain any.
 */
#ifndef BAREPROF_HOST_TERMINAL_H
#define BAREPROF_HOST_TERMINAL_H

#include "bytes.h"

/*
 * terminal_takes_escapes - returns whether @fd is a terminal to which escape sequences may
 * be written. Returns false if NO_COLOR is set and not empty, or if TERM is "dumb".
 */
bool terminal_takes_escapes(int fd);

/*
 * print_safe - prints @text, which comes from a file, to standard output. '?' replaces control characters, because they
 *	must not reach the terminal.
 * print_safe_text - does the same for a string.
 */
void print_safe(struct bytes text);
void print_safe_text(const char *text);

#endif
