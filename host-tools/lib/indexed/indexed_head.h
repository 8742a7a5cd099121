/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * indexed_head.h - reads the header and the summaries at the start of an indexed profile.
 */
#ifndef BAREPROF_HOST_INDEXED_HEAD_H
#define BAREPROF_HOST_INDEXED_HEAD_H

#include "error.h"
#include "summary.h"

struct indexed_head {
	uint64_t word[INDEXED_WORDS]; /* words of the header; a word that this version does not have is 0 */
	unsigned int version;
	uint64_t variants;
	bool has_summary; /* true from index version 4 on */
	struct summary summary;
	struct summary context_sensitive; /* second summary; all zeros if the profile is not context-sensitive */
	size_t size; /* size of header and summaries in bytes; the functions follow them */
};

/* indexed_head_read - reads the header and the summaries of the file with the content @bytes. Errors: INVALID_INPUT. */
enum status indexed_head_read(struct indexed_head *head, struct bytes bytes, struct error *error);

#endif
