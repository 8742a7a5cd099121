/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump.h - from bytes of any carrier to a checked .profraw: scanning, choosing
 * a session, rebuilding and checking in one place.
 */
#ifndef BAREPROF_HOST_DUMP_H
#define BAREPROF_HOST_DUMP_H

#include "rebuild.h"
#include "scan.h"

struct dump {
	struct scan scan; /* feed it with scan_bytes() or scan_line() */
	struct capture capture;
	struct completing completing; /* how captures of counters become profiles; the caller's */
	bool keeps; /* those that no ELF file was given for go to stream as they are: the caller's */
	const struct session *session; /* the one that was chosen */
	struct buffer stream; /* its .profraw */
	bool kept; /* no, the capture itself */
	bool finished;
};

/*
 * dump_start - get *dump ready for scanning; it must stay where it is. @text,
 * if not NULL, gets @context and what belongs to no dump. Free it with dump_free().
 */
void dump_start(struct dump *dump, void (*text)(void *context, struct bytes text), void *context);

/*
 * dump_finish - after the last byte was scanned: choose a session (see
 * session_choose()), rebuild its .profraw and check that against BEGIN and as a
 * raw profile. On success dump->stream holds it. Errors: INVALID_INPUT, USAGE.
 */
enum status dump_finish(struct dump *dump, const char *wanted, struct error *error);

/*
 * dump_take - put @session, which is complete or may be partial, together and check it, as
 * dump_finish() does. Errors: INVALID_INPUT.
 */
enum status dump_take(struct dump *dump, const struct session *session, struct error *error);

/* dump_sort - only form the sessions; dump_finish() does that too. */
void dump_sort(struct dump *dump);

/* dump_damage - append "; 3 damaged lines were dropped" or nothing. */
void dump_damage(const struct dump *dump, struct buffer *text);

/* dump_describe - append a finished dump's size, tag and blocks, and the damage. */
void dump_describe(const struct dump *dump, struct buffer *text);

void dump_free(struct dump *dump);

#endif
