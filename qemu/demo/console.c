/* SPDX-License-Identifier: BSD-2-Clause */
/* console.c - text output on the board's console. */
#include "board.h"
#include "console.h"

void console_putc(char c)
{
	if (c == '\n')
		board_putc('\r');
	board_putc(c);
}

void console_puts(const char *s)
{
	while (*s != '\0')
		console_putc(*s++);
}

void console_format(const char *text, const uintptr_t *args)
{
	char line[128];

	format(line, sizeof(line), text, args);
	console_puts(line);
}
