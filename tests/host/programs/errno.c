/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * errno.c - a library for LD_PRELOAD whose open() fails with the error $HOST_ERRNO for files whose name ends in
 * $HOST_ERRNO_FILE. Only the first $HOST_ERRNO_TIMES calls fail, and later calls succeed. This imitates a kernel that
 * refuses to open a file for a short time.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int left = -1;

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
	const char *file = getenv("HOST_ERRNO_FILE");
	size_t n = strlen(path);
	int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	va_list arguments;
	int mode;

	if (left < 0)
		left = atoi(getenv("HOST_ERRNO_TIMES"));
	if (n >= strlen(file) && !strcmp(path + n - strlen(file), file) && left > 0) {
		left--;
		errno = atoi(getenv("HOST_ERRNO"));
		return -1;
	}
	va_start(arguments, flags);
	mode = va_arg(arguments, int);
	va_end(arguments);
	return next(path, flags, mode);
}
