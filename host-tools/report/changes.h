/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * changes.h - the lines in which the files on disk differ from a git revision.
 */
#ifndef BAREPROF_HOST_CHANGES_H
#define BAREPROF_HOST_CHANGES_H

#include "bytes.h"
#include "error.h"

struct change {
	size_t file; /* index in changes->files */
	uint64_t first; /* number of the first line, in the file on disk */
	uint64_t count; /* number of lines */
};

/* The changes since a revision. Starts as all zeros and ends with changes_free(). */
struct changes {
	char **files; /* names relative to the top of the work tree, without deleted files */
	size_t file_count;
	size_t file_room;
	struct change *list; /* sorted by file, then by line */
	size_t count;
	size_t room;
};

/*
 * changes_top - returns the absolute path of the top folder of the git work tree that contains @folder. The caller
 * frees the path. If @folder is not in a work tree, returns NULL and sets @error to the reason.
 */
char *changes_top(const char *folder, struct error *error);

/*
 * changes_read - reads the changes below @top since revision @base. Errors: SYSTEM,
 * INVALID_INPUT (no such revision).
 */
enum status changes_read(struct changes *changes, const char *top, const char *base, struct error *error);

/* changes_parse - reads the changes from @diff, the output of `git diff --no-prefix`. */
void changes_parse(struct changes *changes, struct bytes diff);
void changes_free(struct changes *changes);

#endif
