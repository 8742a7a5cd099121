/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cut_line.h - joins the parts of a line of a dump. A terminal that is narrower than the line has
 * cut it into several lines. The first part has the marker, and the other parts are only base64.
 */
#ifndef BAREPROF_HOST_CUT_LINE_H
#define BAREPROF_HOST_CUT_LINE_H

#include "bytes.h"

/* A line whose parts are being joined. Before its first use it is all zeros; cut_line_free() frees its memory. */
struct cut_line {
	size_t mark; /* offset of the marker in the first line */
	struct buffer base64; /* the base64 digits of the block, as far as they have arrived */
	struct buffer scratch;
	size_t announced; /* number of base64 digits of the whole block; SIZE_MAX: not yet known */
};

enum cut_state {
	CUT_NONE, /* the lines are not the parts of a line that was cut */
	CUT_MORE, /* the block is not complete, and may continue in the next line */
	CUT_COMPLETE, /* all base64 digits of the block have arrived */
};

/*
 * cut_line_start - starts with the line @line, and drops the digits that @cut had before. Never
 * returns CUT_COMPLETE.
 * cut_line_add - adds the next line. The previous call must have returned CUT_MORE. If the block is
 * complete, sets *@used to the number of bytes of @line up to the end of the block, otherwise to 0.
 */
enum cut_state cut_line_start(struct cut_line *cut, struct bytes line);
enum cut_state cut_line_add(struct cut_line *cut, struct bytes line, size_t *used);

/*
 * cut_line_may_add - returns whether @line, whose end has not arrived yet, can become a line that
 * continues the block.
 */
bool cut_line_may_add(struct bytes line);

/* cut_line_text - returns @line without its line end and without the spaces before the line end. */
struct bytes cut_line_text(struct bytes line);

void cut_line_free(struct cut_line *cut);

#endif
