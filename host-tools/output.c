/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.c - temporary name in the same folder, fsync, rename.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, struct bytes content)
{
	while (content.size) {
		ssize_t n = write(fd, content.data, content.size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		content.data += n;
		content.size -= (size_t)n;
	}
	return true;
}

static enum status write_directly(const char *path, struct bytes content, struct error *error)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	enum status status = STATUS_OK;

	if (fd < 0)
		return error_set(error, STATUS_SYSTEM, "cannot be opened for writing: %s", strerror(errno));
	if (!write_all(fd, content))
		status = error_set(error, STATUS_SYSTEM, "cannot be written: %s", strerror(errno));
	if (close(fd) && status == STATUS_OK)
		status = error_set(error, STATUS_SYSTEM, "cannot be written: %s", strerror(errno));
	return status;
}

/* The permissions that open() would have given a new file. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

enum status output_write(const char *path, struct bytes content, struct error *error)
{
	enum status status = STATUS_OK;
	char *temporary;
	struct stat old;
	bool exists = stat(path, &old) == 0;
	int fd;

	if (exists && !S_ISREG(old.st_mode))
		return write_directly(path, content, error);
	temporary = format("%s.XXXXXX", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		status = error_set(error, STATUS_SYSTEM, "cannot be created: %s; check the folder or name another file",
			strerror(errno));
		free(temporary);
		return status;
	}
	if (!write_all(fd, content) || fchmod(fd, exists ? old.st_mode & 07777 : usual_mode()) || fsync(fd))
		status = error_set(
			error, STATUS_SYSTEM, "cannot be written: %s; nothing was left there", strerror(errno));
	if (close(fd) && status == STATUS_OK)
		status = error_set(
			error, STATUS_SYSTEM, "cannot be written: %s; nothing was left there", strerror(errno));
	if (status == STATUS_OK && rename(temporary, path))
		status = error_set(error, STATUS_SYSTEM, "cannot be put in place: %s", strerror(errno));
	if (status != STATUS_OK)
		unlink(temporary);
	free(temporary);
	return status;
}

enum status output_possible(const char *path, struct error *error)
{
	const char *slash = strrchr(path, '/');
	struct stat old;
	char *folder = slash ? format("%.*s", (int)(slash - path + 1), path) : format(".");
	bool direct = stat(path, &old) == 0 && !S_ISREG(old.st_mode);
	enum status status = STATUS_OK;

	if (access(direct ? path : folder, W_OK))
		status = error_set(error, STATUS_SYSTEM, "cannot be created: %s; check the folder or name another file",
			strerror(errno));
	free(folder);
	return status;
}
