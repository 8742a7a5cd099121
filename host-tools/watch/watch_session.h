/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch_session.h - looks at programs again and again: when the next look is due, what is shown, and
 * what is saved at the end. It does not know how a profile is read.
 */
#ifndef BAREPROF_HOST_WATCH_SESSION_H
#define BAREPROF_HOST_WATCH_SESSION_H

#include "watch_programs.h"
#include "watch_view.h"

/* The caller sets the members before the empty line, view.json and programs.completion, and zeroes the others. End with session_end(). */
struct watch_session {
	double interval; /* seconds between two looks */
	struct watch_programs programs;
	const char *out; /* the last profile is written here at the end; NULL: nowhere */
	bool patient; /* the first looks may fail; otherwise the session ends if the first look fails */

	struct watch_view view;
	uint64_t look; /* number of looks so far */
	uint64_t good; /* number of looks that succeeded */
	uint64_t failures; /* number of looks that failed since the last one that succeeded */
	double start; /* seconds_now() at the start of the last look */
	double next; /* seconds_now() when the next look is due */
	double last_good; /* seconds_now() at the end of the last look that succeeded, or at the start of the session */
	bool reading; /* a look is being made */
	struct buffer said; /* the messages of this look, each with a zero byte at its end */
	struct buffer said_before; /* the messages of the look before */
	char *failure; /* the first message of this look; NULL: none */
};

/*
 * session_start - reads the programs that the user named. Prints errors, and returns the exit code. The caller calls
 * session_end() also after an error.
 */
enum status session_start(struct watch_session *session);

/*
 * session_begin - begins a look. session_done - ends it, and shows what is new in the profiles that were added to session->programs. @status is
 * the exit code of reading them. Messages that the look before has printed, too, are not printed again.
 * session_interrupted - ends it without a trace, because a signal ended the reading.
 */
void session_begin(struct watch_session *session);
void session_done(struct watch_session *session, enum status status);
void session_interrupted(struct watch_session *session);

/*
 * session_goes_on - returns false if the session ends: the user pressed Ctrl-C, nobody reads the output any more, or looks
 * have failed for a long time.
 * session_wait - waits until the next look is due. Returns what session_goes_on() returns.
 */
bool session_goes_on(const struct watch_session *session);
bool session_wait(struct watch_session *session);

/*
 * session_end - writes the last profile, and frees @session. @status is the exit code so far. Returns the exit code of the
 * command.
 */
enum status session_end(struct watch_session *session, enum status status);

#endif
