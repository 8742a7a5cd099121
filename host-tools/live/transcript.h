/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * transcript.h - the text of a guest's console. The end of the text is kept for a report,
 * and each line is matched against patterns when it arrives.
 */
#ifndef BAREPROF_HOST_TRANSCRIPT_H
#define BAREPROF_HOST_TRANSCRIPT_H

#include "bytes.h"

#include <regex.h>

/* The caller sets the patterns, which may be NULL, and zeroes the other fields. End with transcript_free(). */
struct transcript {
	const regex_t *ready;
	const regex_t *pass;
	const regex_t *fail;
	struct buffer text; /* the end of the text */
	size_t left_out; /* number of bytes that came before @text and were dropped */
	size_t line; /* offset in @text at which the current line starts */
	bool judging; /* lines are now matched against @pass and @fail */
	bool is_ready; /* since the last mark, a line or the start of a line matched @ready */
	bool passed; /* a line matched @pass */
	struct buffer failed; /* the first line that matched @fail */
};

/*
 * transcript_add - adds text that was shown. If @text ends in the middle of a line, this line is matched against @ready
 * too, because it may be a prompt. So the caller adds such text only when the guest is silent. Otherwise the beginning
 * of a longer line could match @ready.
 */
void transcript_add(struct transcript *transcript, struct bytes text);

/*
 * transcript_mark - ignores the text so far, so that only text that is added later can match @ready. Call it before
 * typing.
 */
void transcript_mark(struct transcript *transcript);

/*
 * transcript_judge - matches the current line against @pass and @fail, even if this line
 * has not ended. After this call, no further lines are matched.
 */
void transcript_judge(struct transcript *transcript);

/* transcript_clear - forgets everything except the patterns. */
void transcript_clear(struct transcript *transcript);
void transcript_free(struct transcript *transcript);

#endif
