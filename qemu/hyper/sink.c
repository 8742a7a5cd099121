/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sink.c - prints the lines of captures, for the hypervisor and for the guest. This file is not
 * instrumented.
 */
#include "board.h"
#include "hyper.h"

int console_sink(void *context, const void *data, size_t n)
{
	const char *c = data;

	(void)context;
	for (; n > 0; n--)
		board_putc(*c++);
	return 0;
}
