/* SPDX-License-Identifier: BSD-2-Clause */
/* memory_kdump.c - puts the pieces of a flattened dump together, and lets a server read the dump. */
#include "memory_kdump.h"
#include "child.h"
#include "clock.h"
#include "flat_dump.h"
#include "kdump_pages.h"
#include "kdump_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The server needs milliseconds, except if a dump of many gigabytes is opened from a slow disk. */
#define SECONDS_MAX 60

struct kdump {
	struct kdump_layout layout;
	struct kdump_pages pages;
	int file;
	int socket; /* to the server */
	pid_t server;
};

static enum status no_answer(const char *why, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"is a damaged kernel dump, or one that libkdumpfile does not understand: %s" HINT_FETCH_AGAIN, why);
}

/* Receives @size bytes from the server. */
static enum status receive(const struct kdump *kdump, void *bytes, size_t size, struct error *error)
{
	double end = seconds_now() + SECONDS_MAX;
	uint8_t *at = bytes;

	while (size) {
		struct pollfd wait = {kdump->socket, POLLIN, 0};
		double left = end - seconds_now();
		int ready = poll(&wait, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
		ssize_t n;

		if (caught_signal())
			return error_set(error, STATUS_SYSTEM, "was interrupted");
		if (ready < 0 && errno == EINTR)
			continue;
		if (!ready)
			return no_answer("libkdumpfile took too long", error);
		n = read(kdump->socket, at, size);
		if (n <= 0)
			return no_answer("libkdumpfile crashed", error);
		at += n;
		size -= (size_t)n;
	}
	return STATUS_OK;
}

/* Receives an answer with @size bytes, or the text of an error. */
static enum status receive_answer(const struct kdump *kdump, void *bytes, size_t size, struct error *error)
{
	struct kdump_answer answer;
	enum status status = receive(kdump, &answer, sizeof(answer), error);

	if (status != STATUS_OK || answer.status == STATUS_OK)
		return status != STATUS_OK ? status : receive(kdump, bytes, size, error);
	if (answer.size >= sizeof(error->text))
		return no_answer("libkdumpfile crashed", error);
	error->text[answer.size] = '\0';
	status = receive(kdump, error->text, answer.size, error);
	return status != STATUS_OK ? status : (enum status)answer.status;
}

static enum status start_server(struct kdump *kdump, struct error *error)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
	kdump->server = fork();
	if (!kdump->server) {
		close(ends[0]);
		kdump_serve(kdump->file, kdump->layout.block, ends[1]);
	}
	close(ends[1]);
	kdump->socket = ends[0];
	if (kdump->server < 0)
		return error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
	return receive_answer(kdump, NULL, 0, error);
}

static enum status open_kdump(struct memory *memory, const char *where, struct error *error)
{
	struct kdump *kdump = allocate(1, sizeof(*kdump));
	enum status status = STATUS_OK;
	int united;

	memory->state = kdump;
	kdump->socket = -1;
	kdump->server = -1;
	/* A pipe is refused later, and must not block. */
	kdump->file = open(where, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kdump->file < 0)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	if (flat_dump_is(kdump->file)) {
		status = flat_dump_unite(kdump->file, &united, error);
		close(kdump->file);
		kdump->file = united;
	}
	if (status == STATUS_OK)
		status = kdump_check_layout(&kdump->layout, kdump->file, error);
	return status == STATUS_OK ? start_server(kdump, error) : status;
}

static enum status read_kdump(
	struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size, struct error *error)
{
	const struct kdump *kdump = memory->state;
	enum status status = STATUS_OK;
	uint8_t *at = to;

	while (size && status == STATUS_OK) {
		uint32_t part = size < KDUMP_REQUEST_MAX ? (uint32_t)size : KDUMP_REQUEST_MAX;
		const struct kdump_request request = {address, space, part};

		if (send(kdump->socket, &request, sizeof(request), MSG_NOSIGNAL) != sizeof(request))
			return no_answer("libkdumpfile crashed", error);
		status = receive_answer(kdump, at, part, error);
		at += part;
		address += part;
		size -= part;
	}
	return status;
}

static bool next_in_kdump(struct memory *memory, enum memory_space space, struct memory_part *part)
{
	struct kdump *kdump = memory->state;
	struct kdump_walk walk = {part->index, part->done, part->total};
	uint64_t first;
	uint64_t count;

	if (space != MEMORY_PHYSICAL || !kdump_next_pages(&kdump->layout, &kdump->pages, &walk, &first, &count))
		return false;
	part->address = first * kdump->layout.block;
	part->size = count * kdump->layout.block;
	part->index = walk.page;
	part->done = walk.rank;
	part->total = walk.zero;
	return true;
}

static void notes_of_kdump(struct memory *memory, const char *owner, struct buffer *out)
{
	const struct kdump *kdump = memory->state;

	kdump_notes(&kdump->layout, owner, out);
}

static enum status close_kdump(struct memory *memory, struct error *error)
{
	struct kdump *kdump = memory->state;

	(void)error;
	if (!kdump)
		return STATUS_OK;
	if (kdump->socket >= 0)
		close(kdump->socket);
	if (kdump->server > 0) {
		kill(kdump->server, SIGKILL);
		while (waitpid(kdump->server, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (kdump->file >= 0)
		close(kdump->file);
	free(kdump);
	memory->state = NULL;
	return STATUS_OK;
}

const struct memory_source memory_kdump = {
	.name = "kdump",
	.form = "kdump:FILE",
	.open = open_kdump,
	.read = read_kdump,
	.next = next_in_kdump,
	.window = KDUMP_REQUEST_MAX,
	.notes = notes_of_kdump,
	.close = close_kdump,
};
