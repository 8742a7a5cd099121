/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cut_line.h - puts a line of a dump together that a terminal, narrower than the line, has cut
 * into several lines. The first one has the marker, the others have only base64.
 */
#ifndef BAREPROF_HOST_CUT_LINE_H
#define BAREPROF_HOST_CUT_LINE_H

#include "bytes.h"

/* Starts as all zeros, ends with cut_line_free(). */
struct cut_line {
	size_t mark; /* offset of the marker in the first line */
	struct buffer base64; /* of the block, so far */
	struct buffer scratch;
	size_t announced; /* number of base64 digits of the whole block; SIZE_MAX: not yet known */
};

enum cut_state {
	CUT_NONE, /* these lines are not a line that was cut */
	CUT_MORE, /* the block goes on in the next line, if the line was cut */
	CUT_COMPLETE, /* the base64 has the length of the block */
};

/*
 * cut_line_start - takes the first line; what @cut had before is lost. Never returns CUT_COMPLETE.
 * cut_line_add - takes the next line after CUT_MORE. *@used is the number of its bytes up to the
 * end of the block.
 */
enum cut_state cut_line_start(struct cut_line *cut, struct bytes line);
enum cut_state cut_line_add(struct cut_line *cut, struct bytes line, size_t *used);

/* cut_line_may_add - returns whether @line, which has not ended, may become a line that goes on with the block. */
bool cut_line_may_add(struct bytes line);

/* cut_line_text - returns @line without its line end and the spaces before it. */
struct bytes cut_line_text(struct bytes line);

void cut_line_free(struct cut_line *cut);

#endif
