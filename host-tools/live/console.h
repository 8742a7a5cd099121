/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.h - read the console of a target while it runs. The lines and frames of dumps are not shown but go to a
 * scan; all other text is shown at once.
 *
 * A block is recognised only when all of it has arrived, as a line with a marker or
 * as a frame between zero bytes. Until then its bytes are held. The state tells
 * what the held bytes may become; the table tells what happens to them:
 *
 *	state      line end    4 KB held    silence                            zero byte  end
 *	LINE       line        show         show                               piece      line
 *	FRAME      hold        hold         hold 60 times, then as NOT_FRAME   piece      piece
 *	NOT_FRAME  piece       show         piece if it has lines, else show   piece      piece
 *
 *	line   pass the bytes to scan_line(); then the state is LINE
 *	piece  pass the bytes to scan_piece(); then the state is FRAME after a zero byte, otherwise LINE
 *	show   show the bytes; then the state is LINE. Bytes with a marker in them are
 *	       held, and so are the last bytes if they may be the start of a marker.
 *	hold   keep the bytes: a frame may contain line ends
 *
 * A terminal that is narrower than a line of a dump cuts the line. In the state LINE, a line whose
 * block is not complete is therefore held as well, as long as the lines after it can belong to the
 * block. The held lines are passed to scan_lines() when the block is complete, when a line cannot
 * belong to the block, or after 60 silences.
 *
 * A line without an end counts as ended when 1 MB of it is held.
 */
#ifndef BAREPROF_HOST_CONSOLE_H
#define BAREPROF_HOST_CONSOLE_H

#include "cut_line.h"
#include "scan.h"
#include "transcript.h"

#include <stdio.h>

enum console_state {
	CONSOLE_LINE, /* the held bytes are the start of a line */
	CONSOLE_FRAME, /* the held bytes follow a zero byte and may become a frame */
	CONSOLE_NOT_FRAME, /* the held bytes follow a zero byte and cannot become a frame any more */
};

/* The caller sets the fields from @scan to @until and zeroes the others. End with console_end(). */
struct console {
	struct scan *scan; /* finds the blocks; its text callback must call console_text() */
	FILE *show; /* gets the text to show; may be NULL */
	struct transcript *transcript; /* gets the text that is shown; may be NULL */
	FILE *log; /* gets every byte; may be NULL */
	const char *until; /* text to look for in each line that is shown; may be NULL */
	bool until_seen; /* a line contained @until */
	bool mid_line; /* the text shown last did not end a line */
	enum console_state state; /* tells what @held may become */
	struct buffer held; /* bytes not yet shown and not yet scanned */
	struct cut_line cut; /* in CONSOLE_LINE: the block of the held lines, if a terminal may have cut it */
	size_t cut_size; /* bytes of held lines that may be a line that was cut; 0: none */
	unsigned int silences; /* calls of console_idle() since the last byte, while a block is expected to go on */
	struct buffer shown; /* the end of the text shown in the current line, in which @until is looked for */
	bool got_output; /* at least one byte arrived */
	int write_error; /* errno of the first failed write to @show; 0: none */
};

/* console_text - shows @text: the text callback of a scan. @console is a struct console. */
void console_text(void *console, struct bytes text);

/* console_add - processes bytes that arrived from the target. */
void console_add(struct console *console, struct bytes bytes);

/*
 * console_idle - shows a line that has not ended, such as a prompt, unless it may become
 * part of a dump. Call it when nothing has arrived for a moment.
 */
void console_idle(struct console *console);

/* console_amid_frame - returns whether the bytes that arrived last may be the start of a frame. */
bool console_amid_frame(const struct console *console);

/* console_amid_block - returns whether the last bytes may be the start of a block, which is a line or a frame. */
bool console_amid_block(const struct console *console);

/* console_end - passes the held bytes to the scan and frees the buffers. Call it after the last byte. */
void console_end(struct console *console);

#endif
