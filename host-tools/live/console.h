/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.h - reads the console of a target while the target runs. The lines and frames of dumps are passed to a scan
 * instead of being shown. All other text is shown at once.
 *
 * A block is a line with a marker, or a frame between zero bytes. A block is recognised only when all of it has
 * arrived, and until then its bytes are held. The state says what the held bytes may become. The table says for each
 * state and event what happens to the held bytes. The event "silence" is a call of console_idle().
 *
 *	state      line end    4 KB held    silence                            zero byte  end
 *	LINE       line        show         show                               piece      line
 *	FRAME      hold        hold         hold 60 times, then as NOT_FRAME   piece      piece
 *	NOT_FRAME  piece       show         piece if it has lines, else show   piece      piece
 *
 *	line   pass the bytes to scan_line(); then the state is LINE
 *	piece  pass the bytes to scan_piece(); then the state is FRAME after a zero byte, otherwise LINE
 *	show   show the bytes; then the state is LINE. But bytes that contain a marker stay held,
 *	       and so do the last bytes if they may be the start of a marker.
 *	hold   keep the bytes, because a frame may contain line ends
 *
 * A terminal that is narrower than a line of a dump cuts the line. Therefore, in the state LINE, a line with an
 * incomplete block is also held, and so are the lines after it that can continue the block. The held lines are passed
 * to scan_lines() when the block is complete, when a line cannot continue the block, or after 60 silences.
 *
 * When more than 1 MB of a line is held, the line is treated as if it had ended.
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
	bool mid_line; /* the text shown last did not end a line */
	enum console_state state; /* the state of the bytes in @held */
	struct buffer held; /* bytes not yet shown and not yet scanned */
	struct cut_line cut; /* in CONSOLE_LINE: the block in the held lines, if a terminal may have cut the block */
	size_t cut_size; /* size of the held lines that may be parts of one cut line, in bytes; 0: none */
	unsigned int silences; /* calls of console_idle() since the last byte, while the rest of a block is expected */
	struct buffer shown; /* the last part of the current line that was shown; @until is searched in it */
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
