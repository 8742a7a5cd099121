/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * error.c - one way to report: one line on standard error, safe to print.
 */
#include "api.h"
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void printable(char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f)
			*text = '?';
	}
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	printable(error->text);
	return status;
}

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
	/* What was written to standard output belongs before it. */
	fflush(stdout);
	fprintf(stderr, "bareprof: %s%s%s\n", name ? name : "", name ? ": " : "", text);
	free(name);
}

/* For all who do not bring their own. */
__attribute__((weak)) void bareprof_out_of_memory(void)
{
	complain(NULL, "out of memory");
	abort();
}

_Noreturn void die_of_memory(void)
{
	bareprof_out_of_memory();
}
