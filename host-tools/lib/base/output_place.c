/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output_place.c - finds the file or stream to which an output name leads, and compares two output
 * names by their files.
 */
#include "output.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The maximum number of symbolic links that are followed for one path. Linux has the same maximum. */
#define LINKS_MAX 40

/* Returns the number N if @path is /dev/fd/N or /proc/self/fd/N, otherwise -1. */
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

/*
 * Returns a path by which the target of the link @path can be opened. Returns NULL if @path is not
 * a link. The caller frees the result.
 */
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
	/*
	 * If the links form a circle, the path has no final file. Then @direct becomes true, so the path is opened
	 * directly. This fails with ELOOP, and the user gets that error.
	 */
	place->direct = links == LINKS_MAX || (stat(place->path, &file) == 0 && !S_ISREG(file.st_mode));
}

/*
 * The identity of a file. A file that exists is identified by its device and inode. A file that does not exist yet is
 * identified by the device and inode of its folder, and by its name.
 */
struct identity {
	int descriptor; /* descriptor of an open stream of this process; -1: the path is not an open stream */
	bool known; /* true: the fields below identify a regular file; false: they are not set, as for a device */
	dev_t device;
	ino_t inode;
	char *name; /* name of a file that does not exist yet, in its folder; NULL: the file exists */
};

static struct identity identify(const char *path)
{
	struct output_place place;
	struct identity identity = {0};
	struct stat file = {0};
	char *slash;

	output_find(path, &place);
	identity.descriptor = place.descriptor;
	if (place.descriptor >= 0) {
		identity.known = fstat(place.descriptor, &file) == 0 && S_ISREG(file.st_mode);
	} else if (stat(place.path, &file) == 0) {
		identity.known = S_ISREG(file.st_mode);
	} else {
		slash = strrchr(place.path, '/');
		identity.name = format("%s", slash ? slash + 1 : place.path);
		if (slash)
			slash[1] = '\0';
		identity.known = stat(slash ? place.path : ".", &file) == 0;
	}
	identity.device = file.st_dev;
	identity.inode = file.st_ino;
	free(place.path);
	return identity;
}

static bool same_file(const struct identity *a, const struct identity *b)
{
	return a->known && b->known && a->device == b->device && a->inode == b->inode &&
	       (a->name && b->name ? !strcmp(a->name, b->name) : a->name == b->name);
}

bool output_same(const char *path, const char *other)
{
	struct identity one = identify(path);
	struct identity two = identify(other);
	bool same = (one.descriptor >= 0 && one.descriptor == two.descriptor) || same_file(&one, &two);

	free(one.name);
	free(two.name);
	return same;
}
