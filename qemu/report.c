/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.c - prints the registers of a processor that faulted.
 */
#include "board.h"
#include "report.h"

#define STATUS_FAULT 3
#define PER_LINE     4
#define NAME_WIDTH   7

static unsigned int printed;

static void put(const char *s)
{
	while (*s != '\0')
		board_putc(*s++);
}

void report_fault(const char *what)
{
	/* A second fault occurred while the first fault was reported, so the report ends here. */
	if (printed++)
		board_exit(STATUS_FAULT);
	put("\r\n*** ");
	put(what);
}

void report_register(const char *name, uintptr_t value)
{
	unsigned int bits = sizeof(value) * 8;
	unsigned int width = 0;

	put((printed++ - 1) % PER_LINE ? "  " : "\r\n");
	while (name[width] != '\0')
		board_putc(name[width++]);
	while (width++ < NAME_WIDTH)
		board_putc(' ');
	while (bits > 0) {
		bits -= 4;
		board_putc("0123456789abcdef"[value >> bits & 15]);
	}
}

void report_end(void)
{
	put("\r\n");
	board_exit(STATUS_FAULT);
}
