/* SPDX-License-Identifier: BSD-2-Clause */
/* exit.c - prints messages. Each message is one line on standard error, without control characters. */
#include "exit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void error_print(const char *subject, const struct error *error)
{
	complain(subject, "%s", error->text);
}

void complain(const char *subject, const char *format, ...)
{
	char text[sizeof(((struct error *)0)->text)];
	char *name = subject ? strdup(subject) : NULL;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	printable(text);
	if (name)
		printable(name);
	/*
	 * Write the buffered text of standard output first. Otherwise a terminal would show the error before this text,
	 * although this text was printed earlier.
	 */
	fflush(stdout);
	fprintf(stderr, "bareprof: %s%s%s\n", name ? name : "", name ? ": " : "", text);
	free(name);
}
