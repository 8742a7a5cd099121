/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.c - line input with editing, and text output. Waiting for a byte is
 * idle_getc()'s business: how often one has to look depends on the machine.
 */
#include "board.h"
#include "console.h"
#include "idle.h"

#define BELL   '\a'
#define DELETE 127

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

uint32_t console_line(char *buf, uint32_t size)
{
	uint32_t n = 0;
	int c;

	for (;;) {
		c = idle_getc();
		if (c == '\n' || c == '\r')
			break;
		if (c == '\b' || c == DELETE) {
			if (n > 0) {
				n--;
				console_puts("\b \b");
			}
		} else if (c >= ' ' && n + 1 < size) {
			buf[n++] = (char)c;
			console_putc((char)c);
		} else {
			console_putc(BELL);
		}
	}
	buf[n] = '\0';
	console_putc('\n');
	return n;
}
