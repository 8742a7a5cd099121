/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_receiver.h - from bytes of any carrier to a checked .profraw: scanning, choosing
 * a dump, rebuilding and checking in one place.
 */
#ifndef BAREPROF_HOST_DUMP_RECEIVER_H
#define BAREPROF_HOST_DUMP_RECEIVER_H

#include "rebuild.h"
#include "scan.h"

#include <bareprof/wire.h>

/* The sentence about an input in which there is no dump. */
#define NO_DUMP_FOUND                                                                                                  \
	"has no dump in it; looked for lines with '" BAREPROF_TEXT_MARKER                                              \
	"', frames between zero bytes and the magic of a capture file"

struct dump_receiver {
	struct scan scan; /* feed it with scan_bytes() or scan_line() */
	struct capture capture;
	struct completion_options completion; /* how captures of counters become profiles; the caller's */
	bool keep_raw_capture; /* those that no ELF file was given for go to stream as they are: the caller's */
	size_t others; /* dumps besides the one that dump_receiver_finish() chose */
	const struct sent_dump *sent; /* the one that was chosen */
	struct buffer stream; /* its .profraw */
	bool is_capture; /* no, the capture itself */
	bool finished;
};

/*
 * dump_receiver_start - get *dump ready for scanning; it must stay where it is. @text,
 * if not NULL, gets @context and what belongs to no dump. Free it with dump_receiver_free().
 */
void dump_receiver_start(struct dump_receiver *dump, void (*text)(void *context, struct bytes text), void *context);

/*
 * dump_receiver_finish - after the last byte was scanned: choose a dump (see
 * sent_dump_choose()), rebuild its .profraw and check that against BEGIN and as a
 * raw profile. On success dump->stream holds it. Errors: INVALID_INPUT, USAGE.
 */
enum status dump_receiver_finish(struct dump_receiver *dump, const char *wanted, struct error *error);

/*
 * dump_receiver_rebuild - put @sent, which is complete or may be partial, together and check it, as
 * dump_receiver_finish() does. Errors: INVALID_INPUT.
 */
enum status dump_receiver_rebuild(struct dump_receiver *dump, const struct sent_dump *sent, struct error *error);

/* dump_receiver_sort - only form the dumps; dump_receiver_finish() does that too. */
void dump_receiver_sort(struct dump_receiver *dump);

/* dump_receiver_damage - append "; 3 damaged lines were dropped" or nothing. */
void dump_receiver_damage(const struct dump_receiver *dump, struct buffer *text);

/* dump_receiver_describe - append a finished dump's size, tag and blocks, and the damage. */
void dump_receiver_describe(const struct dump_receiver *dump, struct buffer *text);

/*
 * dump_receiver_adds_up - does dump @index have counts that no later usable dump has? A later dump of the
 * same image, boot and reset has all of them (docs/SPEC.md, 1.9).
 */
bool dump_receiver_adds_up(const struct dump_receiver *dump, size_t index);

void dump_receiver_free(struct dump_receiver *dump);

#endif
