/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_state.h - a profile while it is being rebuilt: what it is made of, and the
 * steps, each in a file of its own.
 */
#ifndef BAREPROF_HOST_REBUILD_STATE_H
#define BAREPROF_HOST_REBUILD_STATE_H

#include "completion.h"
#include "sent_dump.h"

struct rebuild {
	struct buffer *out;
	const struct begin *begin;
	const struct completion_options *completion;
	const struct sent_dump *sent;
	struct program *program;
	const struct record_table *table;
	uint64_t version_word;
	uint64_t slide; /* how far the image was moved */
	bool big;
	struct sparse_buffer counters;
	struct sparse_buffer bitmap;
	struct sparse_buffer site_counts;
	struct sparse_buffer values;
	struct error *error;
};

/* rebuild_mask - the bits that an address of the target has. */
static inline uint64_t rebuild_mask(const struct rebuild *rebuild)
{
	return rebuild->begin->width == 4 ? UINT32_MAX : UINT64_MAX;
}

/*
 * rebuild_check - are the capture and the ELF file those of one program? Finds the
 * version, the records and how far the image was moved. Errors: INVALID_INPUT.
 */
enum status rebuild_check(struct rebuild *rebuild);

/* rebuild_as_target - append the .profraw that the target would have written: all of it came. Errors: INVALID_INPUT. */
enum status rebuild_as_target(struct rebuild *rebuild);

/*
 * rebuild_functions - append a profile of functions: of those that came whole, or of
 * all where the target never had records. Errors: INVALID_INPUT.
 */
enum status rebuild_functions(struct rebuild *rebuild);

/* rebuild_build_id - append the section of build ids as the version has it. */
void rebuild_build_id(const struct rebuild *rebuild, struct buffer *section);

#endif
