/* SPDX-License-Identifier: BSD-2-Clause */
/* format.h - a small printf() that writes to a buffer. */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdint.h>

/*
 * The arguments are in an array, each cast to uintptr_t. C's "..." is not used, because on some
 * targets the code that reads an argument of "..." contains a branch. Then the branch counts of
 * this kernel would not be the same on all targets.
 */
#define FORMAT_ARGS_MAX 4

/*
 * Supports %s, %c, %%, and %u %d %x of 32 bits. After the % there may be a width. A 0 before the
 * width pads with zeros, and a - pads on the right. Writes at most @size bytes, including a 0 at
 * the end. Returns the length written.
 */
uint32_t format(char *buf, uint32_t size, const char *text, const uintptr_t *args);

/* format_args(TEXT, A, B...): the last two arguments of format(), which are @text and an array @args with A, B... */
#define FORMAT_PACK(text, a, b, c, d, ...)                                                                             \
	text, (const uintptr_t[FORMAT_ARGS_MAX])                                                                       \
	{                                                                                                              \
		(uintptr_t)(a), (uintptr_t)(b), (uintptr_t)(c), (uintptr_t)(d)                                         \
	}
#define format_args(...) FORMAT_PACK(__VA_ARGS__, 0, 0, 0, 0, 0)

#endif
