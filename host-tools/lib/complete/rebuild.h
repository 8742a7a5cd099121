/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild.h - makes a .profraw from a capture of counters and the ELF file (docs/SPEC.md, 1.8). If
 * the dump is complete, the result is, byte for byte, the file that the target would have written.
 */
#ifndef BAREPROF_HOST_REBUILD_H
#define BAREPROF_HOST_REBUILD_H

#include "completion.h"
#include "sent_dump.h"

/*
 * rebuild_profraw - appends the .profraw of @sent, a dump of counters, to @out. If the dump is
 * incomplete, the .profraw has only the functions whose counters and bitmaps arrived completely.
 * Errors: INVALID_INPUT.
 */
enum status rebuild_profraw(struct buffer *out, const struct capture *capture, const struct sent_dump *sent,
	const struct completion_options *completion, struct error *error);

#endif
