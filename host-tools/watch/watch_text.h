/* SPDX-License-Identifier: BSD-2-Clause */
/* watch_text.h - looks as text for users. */
#ifndef BAREPROF_HOST_WATCH_TEXT_H
#define BAREPROF_HOST_WATCH_TEXT_H

#include "watched.h"

/* How a look is written. */
struct watch_text {
	const char *time;
	bool named; /* there are several programs, so the name of the program is shown */
	bool totals; /* the totals are shown in the headline */
	size_t columns; /* lists of lines are broken at this width; 0: never */
};

/* watch_text_add - appends a headline, the new functions and the new lines to @out. */
void watch_text_add(
	struct buffer *out, const struct watch_text *text, const struct watched *watched, const struct look *look);

/* watch_text_name - returns the name of the program without its folders. */
const char *watch_text_name(const struct watched *watched);

#endif
