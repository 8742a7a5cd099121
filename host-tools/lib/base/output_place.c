/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output_place.c - finds the file or stream that an output name leads to, and whether two names
 * lead to the same file.
 */
#include "output.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Linux follows at most this many links, one after the other. */
#define LINKS_MAX 40

/* Returns the N of /dev/fd/N or /proc/self/fd/N, or -1. */
static int descriptor_in(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		const char *number = path + strlen(folders[i]);
		char *end;
		long value;

		if (strncmp(path, folders[i], strlen(folders[i])) || *number < '0' || *number > '9')
			continue;
		value = strtol(number, &end, 10);
		return *end || value > INT_MAX ? -1 : (int)value;
	}
	return -1;
}

/* Returns the target of the link @path as a path to open, or NULL if it is not a link. The caller frees it. */
static char *read_link(const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	const char *slash = strrchr(path, '/');

	if (n < 0)
		return NULL;
	target[n] = '\0';
	if (target[0] == '/' || !slash)
		return format("%s", target);
	return format("%.*s%s", (int)(slash - path) + 1, path, target);
}

void output_find(const char *path, struct output_place *place)
{
	unsigned int links;
	struct stat file;
	char *next;

	*place = (struct output_place){.path = format("%s", path), .descriptor = -1};
	if (!strcmp(path, "-"))
		place->descriptor = STDOUT_FILENO;
	for (links = 0; place->descriptor < 0 && links < LINKS_MAX; links++) {
		place->descriptor = descriptor_in(place->path);
		next = place->descriptor < 0 ? read_link(place->path) : NULL;
		if (!next)
			break;
		free(place->path);
		place->path = next;
	}
	if (place->descriptor >= 0) {
		free(place->path);
		place->path = NULL;
		return;
	}
	/* If the links form a circle, opening the file reports that. */
	place->direct = links == LINKS_MAX || (stat(place->path, &file) == 0 && !S_ISREG(file.st_mode));
}

/* The identity of a file: its inode if it exists, otherwise the inode of its folder and its name. */
struct identity {
	dev_t device;
	ino_t inode;
	char *name; /* name in that folder; NULL: the file exists */
};

static bool identify(const char *path, struct identity *identity)
{
	struct output_place place;
	struct stat file;
	char *slash;
	bool known;

	*identity = (struct identity){0};
	output_find(path, &place);
	if (place.descriptor >= 0) {
		known = fstat(place.descriptor, &file) == 0 && S_ISREG(file.st_mode);
	} else if (stat(place.path, &file) == 0) {
		known = S_ISREG(file.st_mode);
	} else {
		slash = strrchr(place.path, '/');
		identity->name = format("%s", slash ? slash + 1 : place.path);
		if (slash)
			slash[1] = '\0';
		known = stat(slash ? place.path : ".", &file) == 0;
	}
	identity->device = file.st_dev;
	identity->inode = file.st_ino;
	free(place.path);
	return known;
}

/* Returns whether both names stand for the same open stream of this process. */
static bool same_descriptor(const char *path, const char *other)
{
	struct output_place one;
	struct output_place two;
	bool same;

	output_find(path, &one);
	output_find(other, &two);
	same = one.descriptor >= 0 && one.descriptor == two.descriptor;
	free(one.path);
	free(two.path);
	return same;
}

bool output_same(const char *path, const char *other)
{
	struct identity one = {0};
	struct identity two = {0};
	bool same = same_descriptor(path, other);

	if (!same && identify(path, &one) && identify(other, &two))
		same = one.device == two.device && one.inode == two.inode &&
		       (one.name && two.name ? !strcmp(one.name, two.name) : one.name == two.name);
	free(one.name);
	free(two.name);
	return same;
}
