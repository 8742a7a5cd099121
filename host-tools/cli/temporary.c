/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * temporary.c - temporary folders, for files that other programs write and read.
 */
#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of the last folder that was created; empty: there is none. */
static char last[PATH_MAX];

enum status temporary_folder(char **path, struct error *error)
{
	const char *base = getenv("TMPDIR");
	enum status status = STATUS_OK;

	*path = format("%s/bareprof.XXXXXX", base && *base ? base : "/tmp");
	if (mkdtemp(*path)) {
		snprintf(last, sizeof(last), "%s", *path);
		return STATUS_OK;
	}
	status = error_set(error, STATUS_SYSTEM,
		"no temporary folder can be created in %s: %s; set TMPDIR to another folder",
		base && *base ? base : "/tmp", strerror(errno));
	free(*path);
	*path = NULL;
	return status;
}

enum status temporary_failed(const char *path, struct error *error)
{
	struct error reason = *error;

	return error_set(error, STATUS_SYSTEM, "the temporary file %s %.*s; set TMPDIR to a folder with more room",
		path, (int)strcspn(reason.text, ";"), reason.text);
}

void temporary_remove(const char *path)
{
	DIR *folder = path ? opendir(path) : NULL;
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	/*
	 * If opendir() failed, for example because no file descriptor was free, the folder may still be empty. So try
	 * to remove it in any case.
	 */
	if (path)
		rmdir(path);
	if (path && !strcmp(path, last))
		last[0] = '\0';
}

void temporary_remove_last(void)
{
	if (last[0])
		temporary_remove(last);
}
