/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.h - finds blocks in any bytes: capture files, text with marked lines,
 * frames between zero bytes, or a mixture of these.
 */
#ifndef BAREPROF_HOST_SCAN_H
#define BAREPROF_HOST_SCAN_H

#include "block.h"

/*
 * @block is called for each block in the order of the input. The block and its payload are valid
 * only during the call. @text is called with all bytes that do not belong to a dump, piece by
 * piece; it may be NULL.
 */
struct scan {
	void (*block)(void *context, const struct block *block);
	void (*text)(void *text_context, struct bytes text);
	void *context;
	void *text_context;
	struct buffer scratch; /* freed by scan_free() */
	size_t blocks; /* number of blocks so far */
	size_t frames; /* number of blocks that came in frames */
	size_t damaged_lines; /* number of lines that have the marker, but no valid block */
	size_t damaged_bytes; /* number of damaged bytes in capture files */
	size_t damaged_frames; /* number of pieces between zero bytes that are neither a block nor text */
};

/*
 * scan_bytes - finds all blocks in @bytes, which must be the complete input. Also reads text in
 * UTF-16 with a byte order mark, and lines that a terminal has cut into several.
 */
void scan_bytes(struct scan *scan, struct bytes bytes);

/*
 * The steps of scan_bytes(), for input that is still arriving.
 * scan_line - finds the blocks in one line of text. @line includes its newline if there is one.
 */
void scan_line(struct scan *scan, struct bytes line);

/*
 * scan_piece - finds the block or the lines in the bytes between two zero bytes.
 * scan_may_be_frame - returns whether @piece can be the start of a frame.
 */
void scan_piece(struct scan *scan, struct bytes piece);
bool scan_may_be_frame(struct scan *scan, struct bytes piece);

void scan_free(struct scan *scan);

#endif
