/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_state.h - a profile that is being rebuilt, and the steps in which it is rebuilt. Each
 * step has a file of its own.
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
	uint64_t slide; /* address at run time minus address to which the image was linked */
	bool big; /* the target is big-endian */
	struct sparse_buffer counters;
	struct sparse_buffer bitmap;
	struct sparse_buffer site_counts;
	struct sparse_buffer values;
	struct error *error;
};

/*
 * rebuild_mask - returns a mask for an address of the target. If the address has N bits, the lower N bits of the mask
 * are 1.
 */
static inline uint64_t rebuild_mask(const struct rebuild *rebuild)
{
	return rebuild->begin->width == 4 ? UINT32_MAX : UINT64_MAX;
}

/*
 * rebuild_check - checks that the capture and the ELF file belong to the same program. Also finds
 * the raw version, the records, and the distance by which the image was moved. Errors:
 * INVALID_INPUT.
 */
enum status rebuild_check(struct rebuild *rebuild);

/*
 * rebuild_as_target - appends the same .profraw that the target would write. The dump must be
 * complete, and the records must be loaded on the target. Errors: INVALID_INPUT.
 */
enum status rebuild_as_target(struct rebuild *rebuild);

/*
 * rebuild_functions - appends a profile function by function. If the dump is incomplete, the
 * profile has only the functions that arrived completely. If the dump is complete, it has all
 * functions. Errors: INVALID_INPUT.
 */
enum status rebuild_functions(struct rebuild *rebuild);

/* rebuild_build_id - appends the section of build ids in the form that the raw version of the profile needs. */
void rebuild_build_id(const struct rebuild *rebuild, struct buffer *section);

#endif
