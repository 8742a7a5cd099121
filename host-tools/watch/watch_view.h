/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch_view.h - shows looks on standard output: a list that scrolls above a line with totals if it is a terminal, otherwise
 * the same list as plain lines, or lines of JSON.
 */
#ifndef BAREPROF_HOST_WATCH_VIEW_H
#define BAREPROF_HOST_WATCH_VIEW_H

#include "watched.h"

/* The totals of a program at its last look. */
struct watch_totals {
	const struct watched *watched;
	struct rate functions;
	struct rate lines;
};

/* Set @json and zero the rest; then call view_start(). */
struct watch_view {
	bool json;
	bool terminal; /* the line with totals is shown */
	bool shown; /* the line with totals is on the terminal now */
	bool failed; /* the last look failed */
	int write_error; /* errno of the first failed write; 0: none */
	uint64_t look; /* number of the last look, from 1 on */
	struct watch_totals *totals; /* of each program */
	size_t count;
	size_t room;
};

void view_start(struct watch_view *view);

/*
 * view_look - shows what is new in @look, a look at @watched. @number counts the looks from 1 on. @watched must stay valid
 * and at the same address.
 * view_failed - shows that the look @number failed because of @reason. Only programs need it: users see the message.
 * view_status - draws the line with totals again, with @activity at its end, which may be empty.
 * view_hide - removes that line, before anything else is printed.
 * view_end - leaves that line on the terminal.
 */
void view_look(struct watch_view *view, uint64_t number, const struct watched *watched, const struct look *look);
void view_failed(struct watch_view *view, uint64_t number, const char *reason);
void view_status(struct watch_view *view, const char *activity);
void view_hide(struct watch_view *view);
void view_end(struct watch_view *view);

/* view_is_closed - returns whether nobody reads standard output any more. */
bool view_is_closed(const struct watch_view *view);

#endif
