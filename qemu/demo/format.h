/* SPDX-License-Identifier: BSD-2-Clause */
/* format.h - what printf() does to its arguments, into a buffer. */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdint.h>

/*
 * The arguments come in an array, each cast to uintptr_t, not as C's "...":
 * fetching one of those is a branch on some targets and none on others, and
 * this kernel's branch counts are to be the same everywhere.
 */
#define FORMAT_ARGS_MAX 4

/*
 * %s, %c, and %u %d %x of 32 bits; %% for itself. A width, with a 0 before it
 * for zeros and a - for blanks on the right, may stand after the %. Writes at
 * most @size bytes, the last of them 0. Returns the length written.
 */
uint32_t format(char *buf, uint32_t size, const char *text, const uintptr_t *args);

/* format_args(TEXT, A, B...): the last two arguments of format(). */
#define FORMAT_PACK(text, a, b, c, d, ...)                                                                             \
	text, (const uintptr_t[FORMAT_ARGS_MAX])                                                                       \
	{                                                                                                              \
		(uintptr_t)(a), (uintptr_t)(b), (uintptr_t)(c), (uintptr_t)(d)                                         \
	}
#define format_args(...) FORMAT_PACK(__VA_ARGS__, 0, 0, 0, 0, 0)

#endif
