/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugfs.c - files in NAME/ and what the kernel's error codes mean with them.
 */
#include "debugfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PLACE "/sys/kernel/debug/bareprof"

/* One read; the kernel may give less. */
#define WINDOW (1u << 17)

/* Why is there no @place? */
static enum status no_place(const char *place, struct error *error)
{
	const char *slash = strrchr(place, '/');
	char *parent = slash ? format("%.*s", (int)(slash > place ? slash - place : 1), place) : format(".");
	struct statfs system;
	enum status status;

	if (statfs(parent, &system))
		status = error_set(error, STATUS_SYSTEM,
			"is not there, nor is %s: that needs /sys, and a kernel with CONFIG_DEBUG_FS", parent);
	else if (system.f_type != DEBUGFS_MAGIC)
		status = error_set(error, STATUS_SYSTEM, "is not there, and %s is no debugfs: mount -t debugfs none %s",
			parent, parent);
	else
		status = error_set(error, STATUS_SYSTEM,
			"is not there: load bareprof.ko, before the modules whose profiles are wanted, or boot a "
			"kernel with CONFIG_BAREPROF");
	free(parent);
	return status;
}

static enum status list(const char *place, struct from_names *names, struct error *error)
{
	DIR *folder = opendir(place);
	struct dirent *entry;

	if (!folder && errno == ENOENT)
		return no_place(place, error);
	if (!folder && errno == EACCES)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s; be root", strerror(errno));
	if (!folder)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	while ((entry = readdir(folder))) {
		char *info = format("%s/info", entry->d_name);

		if (*entry->d_name != '.' && !faccessat(dirfd(folder), info, F_OK, 0))
			from_names_add(names, entry->d_name);
		free(info);
	}
	closedir(folder);
	return STATUS_OK;
}

static char *path(const char *place, const char *name, enum from_what what)
{
	static const char *const file[] = {
		[FROM_PROFRAW] = "profraw",
		[FROM_CAPTURE] = "capture",
		[FROM_INFO] = "info",
		[FROM_RESET] = "reset",
	};

	return format("%s/%s/%s", place, name, file[what]);
}

static enum status read_path(const char *file, from_take *take, void *context, int *code, struct error *error);

/* @what and the kernel's own sentence, if it has one. */
static enum status with_reason(const char *place, const char *name, const char *what, struct error *error)
{
	char *info = path(place, name, FROM_INFO);
	struct buffer text = {0};
	struct error unused;
	struct bytes why = {NULL, 0};
	int code;

	if (read_path(info, from_keep, &text, &code, &unused) == STATUS_OK)
		why = from_value((struct bytes){text.data, text.size}, "error");
	error_set(error, STATUS_BAD, "%s%s%.*s", what, why.size ? "; the kernel says: " : "; its log may say why",
		(int)(why.size < 3000 ? why.size : 3000), why.size ? (const char *)why.data : "");
	buffer_free(&text);
	free(info);
	return STATUS_BAD;
}

/* What @code of the kernel means for the image @name; *@again: does it pass? */
static enum status explain(const char *place, const char *name, int code, enum from_again *again, struct error *error)
{
	switch (code) {
	case ESTALE:
		*again = FROM_CHANGED;
		return error_set(error, STATUS_BAD,
			"has changed while it was read: its counters were reset, or the module was unloaded or loaded "
			"again");
	case EBUSY:
		*again = FROM_BUSY;
		return error_set(error, STATUS_SYSTEM, "is busy: a list of its values was being changed");
	case ENOENT:
	case EIO:
		return error_set(error, STATUS_BAD,
			"is gone: the module was unloaded, and what was kept of it was reset in between");
	case ENODATA:
		return with_reason(place, name,
			"has no profile: it is not instrumented, or its link lost the records or names", error);
	case EINVAL:
		return with_reason(place, name, "is broken: the kernel cannot make sense of its records", error);
	case EACCES:
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s; be root", strerror(code));
	case EPERM:
		return error_set(error, STATUS_SYSTEM,
			"cannot be opened: %s; a kernel that is locked down (lockdown=, Secure Boot) opens nothing in "
			"debugfs",
			strerror(code));
	default:
		return error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(code));
	}
}

/* *@code: what the kernel refused it with, or 0 if @take did. */
static enum status read_path(const char *file, from_take *take, void *context, int *code, struct error *error)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	uint8_t *window = fd < 0 ? NULL : allocate(1, WINDOW);
	enum status status = STATUS_OK;
	ssize_t n = 1;

	*code = fd < 0 ? errno : 0;
	while (fd >= 0 && n && status == STATUS_OK && !*code) {
		n = read(fd, window, WINDOW);
		if (n < 0 && errno != EINTR)
			*code = errno;
		if (n > 0)
			status = take(context, (struct bytes){window, (size_t)n}, error);
	}
	free(window);
	if (fd >= 0)
		close(fd);
	return *code ? STATUS_SYSTEM : status;
}

static enum status read_image(const char *place, const char *name, enum from_what what, from_take *take, void *context,
	enum from_again *again, struct error *error)
{
	char *file = path(place, name, what);
	int code;
	enum status status = read_path(file, take, context, &code, error);

	*again = FROM_OVER;
	free(file);
	return code ? explain(place, name, code, again, error) : status;
}

static enum status reset(const char *place, const char *name, enum from_again *again, struct error *error)
{
	char *file = path(place, name, FROM_RESET);
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	int code = fd < 0 || write(fd, "1\n", 2) < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	free(file);
	*again = FROM_OVER;
	return code ? explain(place, name, code, again, error) : STATUS_OK;
}

const struct way way_debugfs = {
	.name = "debugfs",
	.place = PLACE,
	.list = list,
	.path = path,
	.read = read_image,
	.reset = reset,
};
