/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * window.h - within the runtime: the part of a .profraw that a read is of. The parts
 * of the file pass by in their order, and what lies in the window is copied.
 */
#ifndef BAREPROF_WINDOW_H
#define BAREPROF_WINDOW_H

#include <bareprof/bareprof.h>

struct bareprof_window {
	uint8_t *to; /* NULL: nothing is copied, only counted */
	size_t offset; /* of the window in what is still to pass */
	size_t room; /* of it that is not filled */
	size_t passed; /* bytes that were in it */
};

/* The next @size bytes of the file are those at @from. */
BAREPROF_API void bareprof_pass(struct bareprof_window *window, const void *from, size_t size);

#endif
