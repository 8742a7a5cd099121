/* SPDX-License-Identifier: BSD-2-Clause */
/* debugfs.c - reads and writes the files in the folder of an image, and explains the kernel's error codes. */
#include "debugfs.h"
#include "../ports/linux/debugfs_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define FOLDER "/sys/kernel/debug/" BAREPROF_DEBUGFS_ROOT

/* The number of bytes to request with one read(). The kernel may return fewer. */
#define WINDOW (1u << 17)

/* Sets @error to the reason why @location does not exist. */
static enum status explain_missing(const char *location, struct error *error)
{
	const char *slash = strrchr(location, '/');
	char *parent = slash ? format("%.*s", (int)(slash > location ? slash - location : 1), location) : format(".");
	struct statfs system;
	enum status status;

	if (statfs(parent, &system))
		status = error_set(error, STATUS_SYSTEM,
			"does not exist, and neither does %s: mount /sys, and use a kernel with CONFIG_DEBUG_FS",
			parent);
	else if (system.f_type != DEBUGFS_MAGIC)
		status = error_set(error, STATUS_SYSTEM,
			"does not exist, and %s is not a debugfs: run mount -t debugfs none %s", parent, parent);
	else
		status = error_set(error, STATUS_SYSTEM,
			"does not exist: load bareprof.ko before the modules whose profiles you need, or boot a "
			"kernel with CONFIG_BAREPROF");
	free(parent);
	return status;
}

static enum status list(const char *location, struct image_names *names, struct error *error)
{
	DIR *folder = opendir(location);
	struct dirent *entry;

	if (!folder && errno == ENOENT)
		return explain_missing(location, error);
	if (!folder && errno == EACCES)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s; run bareprof as root", strerror(errno));
	if (!folder)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	while ((entry = readdir(folder))) {
		char *info = format("%s/%s", entry->d_name, BAREPROF_DEBUGFS_INFO);

		if (*entry->d_name != '.' && !faccessat(dirfd(folder), info, F_OK, 0))
			image_names_add(names, entry->d_name);
		free(info);
	}
	closedir(folder);
	return STATUS_OK;
}

static char *path(const char *location, const char *name, enum image_item what)
{
	static const char *const file[] = {
		[ITEM_PROFRAW] = BAREPROF_DEBUGFS_PROFRAW,
		[ITEM_MIPRAW] = BAREPROF_DEBUGFS_MIPRAW,
		[ITEM_CAPTURE] = BAREPROF_DEBUGFS_CAPTURE,
		[ITEM_INFO] = BAREPROF_DEBUGFS_INFO,
		[ITEM_RESET] = BAREPROF_DEBUGFS_RESET,
	};

	return format("%s/%s/%s", location, name, file[what]);
}

static enum status read_path(const char *file, data_sink *sink, void *context, int *code, struct error *error);

/* Sets @error to @what. If the image's ITEM_INFO contains the kernel's own reason, appends that reason. */
static enum status refused_by_kernel(const char *location, const char *name, const char *what, struct error *error)
{
	char *info = path(location, name, ITEM_INFO);
	struct buffer text = {0};
	struct error unused;
	struct bytes reason = {NULL, 0};
	int code;

	if (read_path(info, sink_append, &text, &code, &unused) == STATUS_OK)
		reason = info_value((struct bytes){text.data, text.size}, BAREPROF_INFO_ERROR);
	error_set(error, STATUS_INVALID_INPUT, "%s%s%.*s", what,
		reason.size ? "; the kernel reports: " : "; the kernel log may tell why",
		(int)(reason.size < 3000 ? reason.size : 3000), reason.size ? (const char *)reason.data : "");
	buffer_free(&text);
	free(info);
	return STATUS_INVALID_INPUT;
}

/* Explains the kernel's error @code for the image @name, and sets *@retry to the reason if trying again may help. */
static enum status explain_errno(
	const char *location, const char *name, int code, enum retry_reason *retry, struct error *error)
{
	switch (code) {
	case ESTALE:
		*retry = RETRY_CHANGED;
		return error_set(error, STATUS_INVALID_INPUT,
			"changed while it was read: its counters were reset, or the module was unloaded or loaded "
			"again");
	case EBUSY:
		*retry = RETRY_BUSY;
		return error_set(error, STATUS_SYSTEM, "is busy: the kernel was changing the values of this profile");
	case ENOENT:
	case EIO:
		return error_set(error, STATUS_INVALID_INPUT,
			"is gone: the module was unloaded, and its kept profile was reset");
	case ENODATA:
		return refused_by_kernel(location, name,
			"has no profile: it is not instrumented, or the linker discarded its records or names", error);
	case EINVAL:
		return refused_by_kernel(location, name, "is broken: the kernel cannot read its records", error);
	case EACCES:
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s; run bareprof as root", strerror(code));
	case EPERM:
		return error_set(error, STATUS_SYSTEM,
			"cannot be opened: %s; debugfs cannot be used if the kernel is locked down (lockdown=, Secure "
			"Boot)",
			strerror(code));
	default:
		return error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(code));
	}
}

/* Passes the content of @file to @sink. *@code is set to the errno of open() or read(), or to 0 if both succeeded. */
static enum status read_path(const char *file, data_sink *sink, void *context, int *code, struct error *error)
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
			status = sink(context, (struct bytes){window, (size_t)n}, error);
	}
	free(window);
	if (fd >= 0)
		close(fd);
	return *code ? STATUS_SYSTEM : status;
}

static enum status read_image(const char *location, const char *name, enum image_item what, data_sink *sink,
	void *context, enum retry_reason *retry, struct error *error)
{
	char *file = path(location, name, what);
	int code;
	enum status status = read_path(file, sink, context, &code, error);

	*retry = RETRY_NEVER;
	free(file);
	return code ? explain_errno(location, name, code, retry, error) : status;
}

static enum status reset(const char *location, const char *name, enum retry_reason *retry, struct error *error)
{
	char *file = path(location, name, ITEM_RESET);
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	int code = fd < 0 || write(fd, "1\n", 2) < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	free(file);
	*retry = RETRY_NEVER;
	return code ? explain_errno(location, name, code, retry, error) : STATUS_OK;
}

const struct backend backend_debugfs = {
	.name = "debugfs",
	.location = FOLDER,
	.list = list,
	.path = path,
	.read = read_image,
	.reset = reset,
};
