/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * terminal.h - finds out whether escape sequences may be printed.
 */
#ifndef BAREPROF_HOST_TERMINAL_H
#define BAREPROF_HOST_TERMINAL_H

#include <stdbool.h>

/*
 * terminal_takes_escapes - returns whether @fd is a terminal to which escape sequences may
 * be written. Returns false if NO_COLOR is set and not empty, or if TERM is "dumb".
 */
bool terminal_takes_escapes(int fd);

#endif
