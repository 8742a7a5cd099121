/* SPDX-License-Identifier: BSD-2-Clause */
/* exit.c - prints messages. Each message is one line on standard error, without control characters. */
#include "exit.h"

#include <stdarg.h>
#include <stdio.h>

static bool (*message_filter)(void *context, const char *message);
static void *filter_context;

void messages_ask(bool (*filter)(void *context, const char *message), void *context)
{
	message_filter = filter;
	filter_context = context;
}

void error_print(const char *subject, const struct error *error)
{
	complain(subject, "%s", error->text);
}

void complain(const char *subject, const char *format, ...)
{
	char text[sizeof(((struct error *)0)->text)];
	/* No memory is allocated, because a message can be about a lack of memory. */
	char line[sizeof(text) + 4096];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	snprintf(line, sizeof(line), "%s%s%s", subject ? subject : "", subject ? ": " : "", text);
	printable(line);
	/*
	 * Write the buffered text of standard output first. Otherwise a terminal would show the error before this text,
	 * although this text was printed earlier.
	 */
	fflush(stdout);
	if (!message_filter || message_filter(filter_context, line))
		fprintf(stderr, "bareprof: %s\n", line);
}
