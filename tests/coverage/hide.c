/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hide.c - hides llvm-cov and llvm-profdata from a program that preloads this library. It is used where no mount
 * namespace can be made.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

static int is_hidden(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return !strncmp(name, "llvm-cov", 8) || !strncmp(name, "llvm-profdata", 13);
}

int access(const char *path, int mode)
{
	int (*next)(const char *, int) = (int (*)(const char *, int))dlsym(RTLD_NEXT, "access");

	if (!is_hidden(path))
		return next(path, mode);
	errno = ENOENT;
	return -1;
}

int execvp(const char *path, char *const *words)
{
	int (*next)(const char *, char *const *) = (int (*)(const char *, char *const *))dlsym(RTLD_NEXT, "execvp");

	if (!is_hidden(path))
		return next(path, words);
	errno = ENOENT;
	return -1;
}
