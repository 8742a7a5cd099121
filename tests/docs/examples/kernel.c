/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.c - a minimal kernel around the example in README.md. The command "dump" on the
 * console calls the example, and "exit" ends with the status that the example returned.
 */
#include "bareprof.h"
#include "board.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int dump_profile(void); /* the example in README.md */
void console_write(const void *data, size_t n); /* the example calls these two functions */
uint64_t cycle_counter(void);

static const char banner[] = "a kernel with README's dump_profile()\n";

__attribute__((no_profile_instrument_function)) void console_write(const void *data, size_t n)
{
	const char *c = data;

	while (n-- > 0)
		board_putc(*c++);
}

uint64_t cycle_counter(void)
{
	return board_nonce();
}

/* The interrupt of the board's timer calls this function. This kernel needs no timer, so the function does nothing. */
void kernel_tick(void)
{
}

static bool line_is(const char *line, size_t n, const char *word)
{
	size_t i;

	for (i = 0; i < n && word[i] == line[i]; i++)
		continue;
	return i == n && word[i] == '\0';
}

static size_t read_line(char *line, size_t max)
{
	size_t n = 0;
	int c;

	while ((c = board_getc()) != '\n')
		if (c >= 0 && n < max)
			line[n++] = (char)c;
	return n;
}

_Noreturn void kernel_main(void)
{
	int status = 0;
	char line[16];

	board_init();
	console_write(banner, sizeof(banner) - 1);
	for (;;) {
		size_t n = read_line(line, sizeof(line));

		if (line_is(line, n, "dump"))
			status = dump_profile();
		else if (line_is(line, n, "exit"))
			board_exit(-status);
	}
}
