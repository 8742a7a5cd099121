/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * terminal.c - finds out from the terminal and the environment whether escape sequences may be printed, and prints text
 * without them.
 */
#include "terminal.h"
#include "error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_takes_escapes(int fd)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return isatty(fd) && (!no_color || !*no_color) && (!term || strcmp(term, "dumb") != 0);
}

void print_safe(struct bytes text)
{
	struct buffer copy = {0};

	buffer_add(&copy, text.data, text.size);
	printable((char *)buffer_string(&copy));
	fwrite(copy.data, 1, copy.size, stdout);
	buffer_free(&copy);
}

void print_safe_text(const char *text)
{
	print_safe((struct bytes){(const uint8_t *)text, strlen(text)});
}
