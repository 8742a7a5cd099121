/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild.h - a capture of counters, and the ELF file, become the .profraw that a
 * writer on the target would have made (docs/SPEC.md, 1.8).
 */
#ifndef BAREPROF_HOST_REBUILD_H
#define BAREPROF_HOST_REBUILD_H

#include "completion.h"
#include "sent_dump.h"

/*
 * rebuild_profraw - append the .profraw of @sent, which is of counters, to @out. Of one
 * that is not complete only functions whose counters and bitmaps came whole are in
 * it. Errors: INVALID_INPUT.
 */
enum status rebuild_profraw(struct buffer *out, const struct capture *capture, const struct sent_dump *sent,
	const struct completion_options *completion, struct error *error);

#endif
