/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * changes.h - which lines of the files on disk are not as they were in a git
 * revision.
 */
#ifndef BAREPROF_HOST_CHANGES_H
#define BAREPROF_HOST_CHANGES_H

#include "bytes.h"
#include "error.h"

struct change {
	size_t file;
	uint64_t first; /* line, as it is now */
	uint64_t count;
};

/* Starts as all zeros, ends with changes_free(). */
struct changes {
	char **files; /* seen from the top of the work tree; what was deleted is not among them */
	size_t file_count;
	size_t file_room;
	struct change *list; /* by file, then by line */
	size_t count;
	size_t room;
};

/*
 * changes_top - the top folder of the git work tree that has @folder in it, an
 * absolute path that the caller frees; NULL if there is none, and then why is
 * in @error.
 */
char *changes_top(const char *folder, struct error *error);

/* changes_read - what changed below @top since revision @base. Errors: SYSTEM, INVALID_INPUT (no such revision). */
enum status changes_read(struct changes *changes, const char *top, const char *base, struct error *error);

/* changes_parse - the same from the text of `git diff --no-prefix`. */
void changes_parse(struct changes *changes, struct bytes diff);
void changes_free(struct changes *changes);

#endif
