/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * transcript.h - what a guest's console showed: the end of it is kept for a
 * report, and its lines are held against patterns as they come.
 */
#ifndef BAREPROF_HOST_TRANSCRIPT_H
#define BAREPROF_HOST_TRANSCRIPT_H

#include "bytes.h"

#include <regex.h>

/* Starts with its patterns, NULL where there is none, and zeros; ends with transcript_free(). */
struct transcript {
	const regex_t *ready;
	const regex_t *pass;
	const regex_t *fail;
	struct buffer text; /* the end of all that was shown */
	size_t left_out; /* bytes before that */
	size_t line; /* where in it the line starts that is not yet judged */
	bool judging; /* by @pass and @fail */
	bool is_ready; /* since the last mark a line, or what stands of one, matched @ready */
	bool passed; /* a line matched @pass */
	struct buffer failed; /* the first line that matched @fail */
};

/*
 * transcript_add - more was shown. An unfinished line must only come when the
 * guest has fallen silent: it may be its prompt.
 */
void transcript_add(struct transcript *transcript, struct bytes text);

/* transcript_mark - what was shown so far is no answer to what is typed now. */
void transcript_mark(struct transcript *transcript);

/* transcript_judge - a line still unfinished is one too; no more lines are judged by @pass and @fail. */
void transcript_judge(struct transcript *transcript);

/* transcript_clear - forget all but the patterns. */
void transcript_clear(struct transcript *transcript);
void transcript_free(struct transcript *transcript);

#endif
