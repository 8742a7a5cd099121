/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.c - writes a temporary file in the folder of the output file, flushes it with fsync()
 * and gives it its final name with rename().
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Small writes are collected until they have this many bytes. */
#define PIECE 65536

/* The maximum number of temporary names to try. */
#define ATTEMPTS 100

/* The number of characters that a temporary name has after the final name: a dot and 8 digits. */
#define SUFFIX 9

/*
 * In the library, output_created() and output_gone() do nothing. A program can define its own
 * versions, which remove temporary files if a signal ends the program (output.h).
 */
__attribute__((weak)) void output_created(const char *path)
{
	(void)path;
}

__attribute__((weak)) void output_gone(const char *path)
{
	(void)path;
}

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

/*
 * Creates a new file in the folder of @path, with the permissions that the user's umask allows.
 * Does not call mkstemp(), which creates files with mode 0600. To correct that mode later, the
 * program would need the umask. The function umask() returns the umask, but also changes it for all
 * threads.
 */
static int create_beside(const char *path, char **temporary)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
	size_t length = strlen(path);
	unsigned int attempt;
	int fd = -1;

	if (length - folder > NAME_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	/* A temporary name must not be longer than NAME_MAX, the maximum for a name. */
	if (length > folder + NAME_MAX - SUFFIX)
		length = folder + NAME_MAX - SUFFIX;

	for (attempt = 0; attempt < ATTEMPTS && fd < 0; attempt++) {
		uint32_t random = attempt;

		if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
			random = (uint32_t)getpid() + attempt;
		free(*temporary);
		*temporary = format("%.*s.%08" PRIx32, (int)length, path, random);
		fd = open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

static void fail(struct output *output, const char *what)
{
	output->status = error_set(&output->error, STATUS_SYSTEM, "%s: %s%s", what, strerror(errno),
		output->temporary ? "; the output file was not created or changed" : "");
}

void output_open(struct output *output, const char *path)
{
	struct output_place place;
	sigset_t all;
	sigset_t before;
	int error;

	*output = (struct output){.path = path, .fd = -1};
	output_find(path, &place);
	if (place.descriptor >= 0)
		output->fd = fcntl(place.descriptor, F_DUPFD_CLOEXEC, 0);
	else if (place.direct)
		output->fd = open(place.path, O_WRONLY | O_CLOEXEC);
	if (place.descriptor >= 0 || place.direct) {
		if (output->fd < 0)
			fail(output, "cannot be opened for writing");
		free(place.path);
		return;
	}
	output->target = place.path;
	/*
	 * Signals are blocked between creating and registering the file. Otherwise a signal handler
	 * that runs in between would not remove the file.
	 */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	output->fd = create_beside(output->target, &output->temporary);
	error = errno;
	if (output->fd >= 0)
		output_created(output->temporary);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (output->fd >= 0)
		return;
	output->status = error_set(&output->error, STATUS_SYSTEM,
		"cannot be created: %s; check the folder or give another file name", strerror(error));
	free(output->temporary);
	output->temporary = NULL;
}

void output_memory(struct output *output)
{
	*output = (struct output){.memory = true, .fd = -1};
}

static void flush(struct output *output)
{
	if (output->memory)
		return;
	if (output->status == STATUS_OK &&
		!write_all(output->fd, (struct bytes){output->pending.data, output->pending.size}))
		fail(output, "cannot be written");
	output->pending.size = 0;
}

uint8_t *output_room(struct output *output, size_t size)
{
	uint8_t *room;

	if (output->pending.size >= PIECE)
		flush(output);
	buffer_reserve(&output->pending, size);
	room = output->pending.data + output->pending.size;
	output->pending.size += size;
	output->size += size;
	return room;
}

void output_put(struct output *output, const void *data, size_t size)
{
	output->size += size;
	if (output->status != STATUS_OK)
		return;
	if (size < PIECE || output->memory) {
		buffer_add(&output->pending, data, size);
		if (output->pending.size >= PIECE)
			flush(output);
		return;
	}
	flush(output);
	if (output->status == STATUS_OK && !write_all(output->fd, (struct bytes){data, size}))
		fail(output, "cannot be written");
}

/* Flushes the temporary file to the disk, then gives it its final name. Every byte must already have been written. */
static void put_in_place(struct output *output)
{
	struct stat old;
	bool exists = stat(output->target, &old) == 0;

	if ((exists && fchmod(output->fd, old.st_mode & 07777)) || fsync(output->fd))
		fail(output, "cannot be written");
	if (close(output->fd) && output->status == STATUS_OK)
		fail(output, "cannot be written");
	output->fd = -1;
	if (output->status == STATUS_OK && rename(output->temporary, output->target))
		fail(output, "cannot be renamed to its final name");
}

enum status output_close(struct output *output, enum status status, struct error *error)
{
	if (status == STATUS_OK)
		flush(output);
	if (status == STATUS_OK && output->status == STATUS_OK && output->temporary)
		put_in_place(output);
	if (output->fd >= 0 && close(output->fd) && output->status == STATUS_OK)
		fail(output, "cannot be written");
	if (output->temporary && (status != STATUS_OK || output->status != STATUS_OK))
		unlink(output->temporary);
	if (output->temporary)
		output_gone(output->temporary);
	free(output->temporary);
	free(output->target);
	buffer_free(&output->pending);
	/*
	 * An error of the output replaces an error of the caller, because the error of the output
	 * may be the cause of the caller's error.
	 */
	if (output->status != STATUS_OK) {
		*error = output->error;
		return output->status;
	}
	return status;
}

enum status output_write(const char *path, struct bytes content, struct error *error)
{
	struct output output;

	output_open(&output, path);
	output_put(&output, content.data, content.size);
	return output_close(&output, STATUS_OK, error);
}

const char *output_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard output";
}

enum status output_possible(const char *path, struct error *error)
{
	struct output_place place;
	struct stat file;
	enum status status = STATUS_OK;
	char *slash;

	output_find(path, &place);
	if (place.direct && !stat(place.path, &file) && S_ISDIR(file.st_mode)) {
		free(place.path);
		return error_set(error, STATUS_SYSTEM, "is a folder; name a file in it");
	}
	/* output_write() creates a new file and does not write to the old one, so the folder must be writable. */
	slash = place.path ? strrchr(place.path, '/') : NULL;
	if (!place.direct && slash)
		slash[1] = '\0';
	if (place.descriptor < 0 && access(place.direct || slash ? place.path : ".", W_OK))
		status = error_set(error, STATUS_SYSTEM,
			"cannot be created: %s; check the folder or give another file name", strerror(errno));
	free(place.path);
	return status;
}
