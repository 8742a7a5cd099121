/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * indexed_head.h - what stands before the functions of an indexed profile: the
 * header and the summaries.
 */
#ifndef BAREPROF_HOST_INDEXED_HEAD_H
#define BAREPROF_HOST_INDEXED_HEAD_H

#include "error.h"
#include "summary.h"

struct indexed_head {
	uint64_t word[INDEXED_WORDS]; /* of the header; 0: not in this version */
	unsigned int version;
	uint64_t variants;
	bool has_summary; /* from version 4 on */
	struct summary summary;
	struct summary context_sensitive; /* all zeros unless it is such a profile */
	size_t size; /* where the functions begin */
};

/* indexed_head_read - read what the file @bytes begins with. Errors: INVALID_INPUT. */
enum status indexed_head_read(struct indexed_head *head, struct bytes bytes, struct error *error);

#endif
