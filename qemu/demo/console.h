/* SPDX-License-Identifier: BSD-2-Clause */
/* console.h - text output and line input on the board's console. */
#ifndef CONSOLE_H
#define CONSOLE_H

#include <stdint.h>

#include "format.h"

void console_putc(char c);
void console_puts(const char *s);

/* console_printf(TEXT, A, B...): prints at most 127 characters; see format() for TEXT. */
void console_format(const char *text, const uintptr_t *args);
#define console_printf(...) console_format(format_args(__VA_ARGS__))

/*
 * Reads one line, without its end, into @buf of @size bytes, with echo and
 * backspace. Rings the bell for characters that do not fit. Returns the length.
 */
uint32_t console_line(char *buf, uint32_t size);

#endif
