/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * line.c - line input with editing. The loop that waits for a byte is in idle_getc(), because the
 * number of its turns depends on the machine.
 */
#include "console.h"
#include "idle.h"

#define BELL   '\a'
#define DELETE 127

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
