/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * terminal.c - finds out from the terminal and the environment whether escape sequences may be printed.
 */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_takes_escapes(int fd)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return isatty(fd) && (!no_color || !*no_color) && (!term || strcmp(term, "dumb") != 0);
}
