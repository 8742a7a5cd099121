/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.h - find the blocks of captures in bytes of any kind: capture files,
 * text with marked lines, frames between zero bytes, or all of them mixed.
 */
#ifndef BAREPROF_HOST_SCAN_H
#define BAREPROF_HOST_SCAN_H

#include "block.h"

/*
 * What was found goes to these, in order. @block and its payload are valid only
 * during the call. @text gets what belongs to no dump, in pieces; it may be NULL.
 */
struct scan {
	void (*block)(void *context, const struct block *block);
	void (*text)(void *text_context, struct bytes text);
	void *context;
	void *text_context;
	struct buffer scratch; /* freed by scan_free() */
	size_t blocks;
	size_t frames; /* of these, how many came as frames */
	size_t damaged_lines; /* with the marker, but no block that checks */
	size_t damaged_bytes; /* of capture files */
	size_t damaged_frames; /* between zero bytes, neither block nor text */
};

/*
 * scan_bytes - find all blocks in @bytes, which must be a whole input. Reads text in
 * UTF-16 with a byte order mark, and lines that a terminal cut into several.
 */
void scan_bytes(struct scan *scan, struct bytes bytes);

/*
 * For consoles that are still talking, what scan_bytes() is made of.
 * scan_line - find blocks in one line of text, its line end included if there
 * is one.
 */
void scan_line(struct scan *scan, struct bytes line);

/*
 * scan_piece - find the block or the lines in what stood between two zero bytes.
 * scan_may_be_frame - may @piece, with more bytes after it, become a frame?
 */
void scan_piece(struct scan *scan, struct bytes piece);
bool scan_may_be_frame(struct scan *scan, struct bytes piece);

void scan_free(struct scan *scan);

#endif
