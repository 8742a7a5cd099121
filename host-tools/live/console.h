/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.h - a guest's console while it talks: the dump's lines are taken out,
 * all else goes on to the reader at once.
 */
#ifndef BAREPROF_HOST_CONSOLE_H
#define BAREPROF_HOST_CONSOLE_H

#include "scan.h"
#include "transcript.h"

#include <stdio.h>

/* Starts with what it is for and zeros, ends with console_end(). */
struct console {
	struct scan *scan; /* finds the blocks; its text must come to @show */
	FILE *show; /* may be NULL */
	struct transcript *transcript; /* gets what is shown; may be NULL */
	FILE *log; /* gets every byte; may be NULL */
	const char *until; /* text to look for in what is shown, line by line; may be NULL */
	bool until_seen; /* it was there */
	bool mid_line; /* what was shown last is not the end of a line */
	struct buffer line; /* not yet shown; if it may be a frame, it can be several lines */
	bool framed; /* a zero byte stood before it */
	unsigned int idle; /* how often nothing more came of it */
	struct buffer shown; /* end of what was shown of this line, for @until */
	bool got_output; /* something came at all */
	int write_error; /* errno of the first failure to write to @show; 0: none */
};

/* console_text - the callback for the text of a scan; @console is a struct console. */
void console_text(void *console, struct bytes text);

/* console_add - what the guest said. */
void console_add(struct console *console, struct bytes bytes);

/*
 * console_idle - nothing more came for a moment: show the line so far, a prompt
 * for instance, unless it may become a line of a dump.
 */
void console_idle(struct console *console);

/* console_amid_frame - is what came last perhaps the start of a frame? */
bool console_amid_frame(const struct console *console);

/* console_end - the guest has said its last; frees what the console holds. */
void console_end(struct console *console);

#endif
