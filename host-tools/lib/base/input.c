/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.c - reads a file or a pipe to its end. Files are not mapped into memory, because a signal
 * would end this program if another process truncated a mapped file.
 */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE 65536

const char *input_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

/*
 * If more than STREAM_MAX bytes arrive from a pipe or device, the input is refused, because a device
 * such as /dev/zero has no end.
 */
#define STREAM_MAX (1u << 30)

static bool has_size(int fd)
{
	struct stat file;

	return !fstat(fd, &file) && S_ISREG(file.st_mode);
}

/*
 * Makes room for the rest of a file and for 1 more byte. Without this byte, the last read() would have no room and
 * could not show the end of the file by returning 0. If @fd is not a regular file, makes room for PIECE bytes.
 */
static void make_room(int fd, struct buffer *buffer)
{
	struct stat file;

	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && (uint64_t)file.st_size < SIZE_MAX / 8 &&
		(size_t)file.st_size >= buffer->size)
		buffer_exactly(buffer, (size_t)file.st_size - buffer->size + 1);
	else
		buffer_reserve(buffer, PIECE);
}

enum status input_again(struct input *input, const char *path, struct error *error)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct buffer *buffer = &input->buffer;
	enum status status = STATUS_OK;
	ssize_t n = 0;

	buffer->size = 0;
	input->bytes = (struct bytes){NULL, 0};
	if (fd < 0)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	do {
		if (buffer->size > STREAM_MAX && !has_size(fd)) {
			status = error_set(error, STATUS_INVALID_INPUT,
				"is not a regular file, and more than %u MiB were read from it; "
				"save it to a file and give that file",
				STREAM_MAX >> 20);
			break;
		}
		make_room(fd, buffer);
		n = read(fd, buffer->data + buffer->size, buffer->room - buffer->size);
		if (n > 0)
			buffer->size += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (status == STATUS_OK && n < 0)
		status = error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
	if (status == STATUS_OK)
		input->bytes = (struct bytes){buffer->data, buffer->size};
	if (!is_stdin)
		close(fd);
	return status;
}

enum status input_read(struct input *input, const char *path, struct error *error)
{
	enum status status;

	*input = (struct input){0};
	status = input_again(input, path, error);
	if (status != STATUS_OK)
		input_free(input);
	return status;
}

void input_free(struct input *input)
{
	buffer_free(&input->buffer);
	input->bytes = (struct bytes){NULL, 0};
}
