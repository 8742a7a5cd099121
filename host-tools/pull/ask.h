/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ask.h - asks a target for the blocks of its dump that are missing, until all are there (docs/SPEC.md, 1.10).
 *
 * One request is open at a time. A request that brings no block is typed again, after a pause that doubles each time. A
 * request or an answer can get lost or damaged, so only the blocks that arrive tell what the target has understood.
 */
#ifndef BAREPROF_HOST_ASK_H
#define BAREPROF_HOST_ASK_H

#include "live.h"

/* The functions below own all fields. The caller may read @tries and @asked. End with ask_free(). */
struct ask {
	struct live *live; /* the loop that listens; requests are typed through it */
	struct dump_progress *dumps;
	struct buffer text; /* the text of --ask, without escapes */
	struct bytes send; /* the text of --send */
	struct buffer typed; /* the request that is typed now */
	double wait; /* the longest pause between two requests, in seconds */
	double heard; /* seconds_now() when the last byte arrived */
	double active; /* seconds_now() when a part of a dump arrived last, or a request was typed */
	double gap; /* the longest silence between two blocks that the target has shown, in seconds */
	size_t seen; /* number of blocks, damaged lines and damaged frames that have arrived */
	uint64_t blocks; /* number of blocks of the dump that had arrived when the last request was typed */
	int64_t last; /* the last block that the open request asks for; -1: no request is open */
	unsigned int tries; /* number of texts in a row that brought no block */
};

/*
 * ask_has_place - returns whether @text, whose escapes are valid, has %s exactly once and no other way to mark the
 * place of the blocks.
 */
bool ask_has_place(const char *text);

/*
 * ask_start - prepares requests that are made from @text, whose %s stands for the blocks. @live->send has the text of
 * --send. @live and @dumps must stay in place. @wait is the longest pause between two requests in seconds.
 */
void ask_start(struct ask *ask, struct live *live, struct dump_progress *dumps, const char *text, double wait);

/*
 * ask_for_missing - types a request if it is time for one. Call it after each poll, with the bytes that arrived. If not
 * even one block arrives, the text of --send is typed again. Returns false if the target does not answer any more.
 */
bool ask_for_missing(struct ask *ask, struct bytes bytes);

void ask_free(struct ask *ask);

#endif
