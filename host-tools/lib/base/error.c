/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * error.c - makes the texts of errors. A text is one line without characters that could harm a
 * terminal.
 */
#include "error.h"

#include <bareprof/profile.h>
#include <stdarg.h>
#include <stdio.h>

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

_Noreturn void die_of_memory(void)
{
	bareprof_out_of_memory();
}
