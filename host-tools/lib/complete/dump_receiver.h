/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_receiver.h - turns received bytes into a checked .profraw. It scans the bytes for blocks,
 * chooses a dump, rebuilds the profile of that dump, and checks the profile.
 */
#ifndef BAREPROF_HOST_DUMP_RECEIVER_H
#define BAREPROF_HOST_DUMP_RECEIVER_H

#include "rebuild.h"
#include "scan.h"

#include <bareprof/wire.h>

/* The text of the error if an input contains no dump. */
#define NO_DUMP_FOUND                                                                                                  \
	"contains no dump: it has no lines with '" BAREPROF_TEXT_MARKER                                                \
	"', no frames between zero bytes and no magic number of a capture file"

struct dump_receiver {
	struct scan scan; /* the caller passes the input to this scan with scan_bytes() or scan_line() */
	struct capture capture;
	struct completion_options completion; /* set by the caller: options for captures of counters */
	/*
	 * set by the caller; true: a dump of a machine profile or of samples is stored unchanged, and so is a capture of
	 * counters if there is no ELF file
	 */
	bool keep_raw_capture;
	bool asks; /* set by the caller; true: blocks were asked for again, so it is no news that some came earlier */
	size_t others; /* number of dumps besides the one that dump_receiver_finish() chose */
	size_t machine_dumps; /* number of machine-profile dumps that dump_receiver_finish() removed from @capture */
	size_t sample_dumps; /* number of dumps of samples that dump_receiver_finish() removed from @capture */
	bool chosen_by_id; /* true: later dumps come from other programs than the ELF files */
	const struct sent_dump *sent; /* the chosen dump */
	struct buffer stream; /* the .profraw of the dump @sent */
	bool is_capture; /* true: @stream is a capture and not a .profraw, because @keep_raw_capture is true */
	bool finished; /* true: the blocks have been sorted into dumps */
};

/*
 * dump_receiver_start - prepares *@dump for scanning. Afterwards @dump must stay at the same
 * address. @text is called with @context for all bytes that do not belong to a dump. If @text is
 * NULL, these bytes are dropped. The caller frees @dump with dump_receiver_free().
 */
void dump_receiver_start(struct dump_receiver *dump, void (*text)(void *context, struct bytes text), void *context);

/*
 * dump_receiver_finish - chooses a dump and rebuilds its .profraw into dump->stream. Checks that
 * the .profraw is a valid raw profile that agrees with BEGIN. Call this function after the last
 * byte was scanned. @wanted names the dump, as for sent_dump_choose(). If @wanted is NULL and ELF
 * files were given, the dump is the last one that has the build id of an ELF file. If there is no such dump, it is the
 * last dump. Errors: INVALID_INPUT, USAGE.
 */
enum status dump_receiver_finish(struct dump_receiver *dump, const char *wanted, struct error *error);

/*
 * dump_receiver_rebuild - rebuilds and checks the profile of @sent, like
 * dump_receiver_finish(). @sent must be complete, unless the caller accepts a partial profile. Errors: INVALID_INPUT.
 */
enum status dump_receiver_rebuild(struct dump_receiver *dump, const struct sent_dump *sent, struct error *error);

/*
 * dump_receiver_sort - sorts the blocks into dumps, unless they are already sorted.
 * dump_receiver_finish() also calls this function.
 */
void dump_receiver_sort(struct dump_receiver *dump);

/*
 * dump_receiver_damage - appends the amount of damaged input, such as "; 3 damaged lines were
 * dropped". Appends nothing if there was no damage.
 */
void dump_receiver_damage(const struct dump_receiver *dump, struct buffer *text);

/*
 * dump_receiver_describe - appends the size, the tag and the number of blocks of the dump that was
 * rebuilt, and the amount of damaged input.
 */
void dump_receiver_describe(const struct dump_receiver *dump, struct buffer *text);

/*
 * dump_receiver_adds_up - returns whether dump @index has counts that no later usable dump has. A
 * later dump of the same image, boot and reset has all counts of an earlier dump (docs/SPEC.md,
 * 1.9).
 */
bool dump_receiver_adds_up(const struct dump_receiver *dump, size_t index);

void dump_receiver_free(struct dump_receiver *dump);

#endif
