/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.c - read a file or a pipe to its end. Read, not mapped: a file that
 * another process cuts short meanwhile would end a program that maps it.
 */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define PIECE 65536

const char *input_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

enum status input_read(struct input *input, const char *path, struct error *error)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	enum status status = STATUS_OK;
	uint8_t piece[PIECE];
	ssize_t n;

	*input = (struct input){0};
	if (fd < 0)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	do {
		n = read(fd, piece, sizeof(piece));
		if (n > 0)
			buffer_add(&input->buffer, piece, (size_t)n);
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0) {
		status = error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
		input_free(input);
	}
	if (!is_stdin)
		close(fd);
	input->bytes = (struct bytes){input->buffer.data, input->buffer.size};
	return status;
}

void input_free(struct input *input)
{
	buffer_free(&input->buffer);
	input->bytes = (struct bytes){NULL, 0};
}
