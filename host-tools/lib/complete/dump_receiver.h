/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_receiver.h - turns received bytes into a checked .profraw: scans for blocks, chooses a
 * dump, rebuilds the profile of that dump, and checks the profile.
 */
#ifndef BAREPROF_HOST_DUMP_RECEIVER_H
#define BAREPROF_HOST_DUMP_RECEIVER_H

#include "rebuild.h"
#include "scan.h"

#include <bareprof/wire.h>

/* The error for an input without a dump. */
#define NO_DUMP_FOUND                                                                                                  \
	"has no dump in it; looked for lines with '" BAREPROF_TEXT_MARKER                                              \
	"', frames between zero bytes and the magic of a capture file"

struct dump_receiver {
	struct scan scan; /* feed it with scan_bytes() or scan_line() */
	struct capture capture;
	struct completion_options completion; /* set by the caller: how captures of counters become profiles */
	bool keep_raw_capture; /* set by the caller: without an ELF file, keep a capture of counters as it is */
	size_t others; /* number of dumps besides the one that dump_receiver_finish() chose */
	const struct sent_dump *sent; /* the chosen dump */
	struct buffer stream; /* the .profraw of that dump */
	bool is_capture; /* @stream is a capture and not a .profraw, because of @keep_raw_capture */
	bool finished; /* the blocks have been sorted into dumps */
};

/*
 * dump_receiver_start - prepares *@dump for scanning. @dump must not be moved after that. @text
 * is called with @context for all bytes that do not belong to a dump; if @text is NULL, these
 * bytes are dropped. Free @dump with dump_receiver_free().
 */
void dump_receiver_start(struct dump_receiver *dump, void (*text)(void *context, struct bytes text), void *context);

/*
 * dump_receiver_finish - is called after the last byte was scanned. It chooses a dump (see
 * sent_dump_choose() for @wanted), rebuilds its .profraw into dump->stream, and checks that it is
 * a valid raw profile that agrees with BEGIN. Errors: INVALID_INPUT, USAGE.
 */
enum status dump_receiver_finish(struct dump_receiver *dump, const char *wanted, struct error *error);

/*
 * dump_receiver_rebuild - rebuilds and checks @sent as dump_receiver_finish() does. @sent must be
 * complete, unless the caller accepts a partial profile. Errors: INVALID_INPUT.
 */
enum status dump_receiver_rebuild(struct dump_receiver *dump, const struct sent_dump *sent, struct error *error);

/*
 * dump_receiver_sort - sorts the blocks into dumps unless they are sorted already.
 * dump_receiver_finish() calls it too.
 */
void dump_receiver_sort(struct dump_receiver *dump);

/* dump_receiver_damage - appends how much was damaged, such as "; 3 damaged lines were dropped", or nothing. */
void dump_receiver_damage(const struct dump_receiver *dump, struct buffer *text);

/* dump_receiver_describe - appends the size, the tag and the number of blocks of a finished dump, and the damage. */
void dump_receiver_describe(const struct dump_receiver *dump, struct buffer *text);

/*
 * dump_receiver_adds_up - returns whether dump @index has counts that no later usable dump has. A
 * later dump of the same image, boot and reset includes all counts of an earlier one
 * (docs/SPEC.md, 1.9).
 */
bool dump_receiver_adds_up(const struct dump_receiver *dump, size_t index);

void dump_receiver_free(struct dump_receiver *dump);

#endif
