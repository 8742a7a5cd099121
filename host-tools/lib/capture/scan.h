/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.h - finds blocks in any bytes: capture files, text with marked lines,
 * frames between zero bytes, or a mixture of these.
 */
#ifndef BAREPROF_HOST_SCAN_H
#define BAREPROF_HOST_SCAN_H

#include "block.h"

/*
 * A scan of an input. The caller sets the first four fields. @block is called for each block, in the order of the
 * input. The block and its payload are valid only during that call. @text is called for all bytes that do not belong to
 * a dump, in one or more parts. @text may be NULL.
 */
struct scan {
	void (*block)(void *context, const struct block *block);
	void (*text)(void *text_context, struct bytes text);
	void *context;
	void *text_context;
	struct buffer scratch; /* freed by scan_free() */
	size_t blocks; /* number of blocks found so far */
	size_t frames; /* number of blocks found so far that came in frames */
	size_t damaged_lines; /* number of lines in which the base64 after a marker is not a valid block */
	size_t damaged_bytes; /* number of damaged bytes in capture files */
	size_t magic_at; /* offset of the first magic number of a capture file; 0 also if there is none */
	size_t damaged_frames; /* number of parts that are neither a block nor text; zero bytes separate the parts */
};

/*
 * scan_bytes - finds all blocks in @bytes, which must be the complete input. Also reads text in
 * UTF-16 with a byte order mark, and lines that a terminal has cut into several lines.
 */
void scan_bytes(struct scan *scan, struct bytes bytes);

/*
 * scan_line - finds the blocks in one line of text. @line includes its newline if it has one. If an
 * input is still arriving, call scan_line() and the functions below instead of scan_bytes().
 * scan_lines - finds the blocks in several lines of text, also in a line that a terminal has cut
 * into several lines.
 */
void scan_line(struct scan *scan, struct bytes line);
void scan_lines(struct scan *scan, struct bytes lines);

/*
 * scan_piece - finds a frame, or the blocks in lines of text, in the bytes between two zero bytes.
 * scan_may_be_frame - returns whether @piece can be the start of a frame.
 */
void scan_piece(struct scan *scan, struct bytes piece);
bool scan_may_be_frame(struct scan *scan, struct bytes piece);

void scan_free(struct scan *scan);

#endif
