/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.h - reads the console of a target while the target runs. It passes the lines and frames of dumps to a scan,
 * and shows all other text at once.
 *
 * A block arrives as a line with a marker, or as a frame between zero bytes. A block is recognised only when all its
 * bytes have arrived. Until then, the bytes are held. enum console_state describes what the held bytes may become.
 *
 * In this table, each row is a state, each column is an event, and each cell is the action for the held bytes. The
 * event "silence" is a call of console_idle(), and the event "end" is a call of console_end(). The event "4 KB held"
 * occurs only in a line that has not ended. "As NOT_FRAME" means the action in the row NOT_FRAME.
 *
 *	state      line end    4 KB held    silence                             zero byte   end
 *	LINE       line        show         show                                piece       line
 *	FRAME      hold        hold         hold; after 60 times, as NOT_FRAME  piece       piece
 *	NOT_FRAME  piece       show         piece if lines are held, else show  piece       piece
 *
 * These are the actions:
 *
 *	line   Pass the bytes to scan_lines(). The next state is LINE.
 *	piece  Pass the bytes to scan_piece(). After a zero byte, the next state is FRAME, otherwise LINE.
 *	show   Show the bytes. The next state is LINE. If the bytes contain a marker, hold them instead.
 *	       If the last bytes may be the start of a marker, hold these last bytes.
 *	hold   Keep the bytes, because a frame may contain line ends.
 *
 * A terminal that is narrower than a line of a dump cuts the line into several lines. Therefore, in the state LINE, a
 * line with an incomplete block is held. The lines after this line are held too if they can continue the block. All
 * held lines are passed to scan_lines() when the block is complete, when a line cannot continue the block, or after 60
 * silences.
 *
 * If more than 1 MB is held and no line end has arrived, the console acts as if a line end had arrived.
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
	FILE *show; /* the text is written to this file; may be NULL */
	struct transcript *transcript; /* the text that is shown is added to this transcript; may be NULL */
	FILE *log; /* every byte is written to this file; may be NULL */
	const char *until; /* text to look for in each line that is shown; may be NULL */
	bool until_seen; /* a line contained @until */
	bool mid_line; /* the text that was shown last does not end with a line end */
	enum console_state state; /* the state of the bytes in @held */
	struct buffer held; /* bytes not yet shown and not yet scanned */
	struct cut_line cut; /* in CONSOLE_LINE: the parts of a block whose line a terminal has perhaps cut */
	size_t cut_size; /* the first @cut_size held bytes may be the parts of one cut line; 0: none */
	/* number of calls of console_idle() since the last byte, counted only while a block is incomplete */
	unsigned int silences;
	struct buffer shown; /* the end of the current line, as far as it was shown; @until may begin here */
	bool got_output; /* at least one byte arrived */
	int write_error; /* errno of the first failed write to @show; 0: none */
};

/* console_text - shows @text. This function is the text callback of a scan. @console is a struct console. */
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
