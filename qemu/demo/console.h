/* SPDX-License-Identifier: BSD-2-Clause */
/* console.h - lines from and to whoever sits at the board's console. */
#ifndef CONSOLE_H
#define CONSOLE_H

#include <stdint.h>

#include "format.h"

void console_putc(char c);
void console_puts(const char *s);

/* console_printf(TEXT, A, B...): see format(); cut after 127 characters. */
void console_format(const char *text, const uintptr_t *args);
#define console_printf(...) console_format(format_args(__VA_ARGS__))

/*
 * Read one line, without its end, into @buf of @size bytes, with echo and
 * backspace. What does not fit is refused with a bell. Returns the length.
 */
uint32_t console_line(char *buf, uint32_t size);

#endif
