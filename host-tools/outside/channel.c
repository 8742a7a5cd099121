/* SPDX-License-Identifier: BSD-2-Clause */
/* channel.c - opens, reads and writes the two ends of a connection. */
#include "channel.h"
#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of bytes to request with one read(). */
#define WINDOW (1u << 16)
/* A line with less than 1,000 baud is broken. */
#define SECONDS_PER_BYTE 0.01

static int end_in(const struct channel *channel)
{
	return channel->piped ? channel->child.out : channel->source.fd;
}

static int end_out(const struct channel *channel)
{
	return channel->piped ? channel->child.in : channel->source.fd;
}

/* Starts @command with a shell, as gdb does for `target remote | COMMAND`. */
static enum status open_command(struct channel *channel, const char *command, struct error *error)
{
	char *copy = format("%s", command);
	char *words[] = {(char[]){"sh"}, (char[]){"-c"}, copy, NULL};
	enum status status;

	if (!command[strspn(command, " \t")])
		status = error_set(error, STATUS_USAGE, "has no command after '|'");
	else
		status = child_start(&channel->child, words, CHILD_TALK, error);
	if (status == STATUS_OK) {
		channel->open = channel->piped = true;
		fcntl(channel->child.in, F_SETFL, O_NONBLOCK);
		fcntl(channel->child.out, F_SETFL, O_NONBLOCK);
	}
	free(copy);
	return status;
}

enum status channel_open(struct channel *channel, const char *where, struct error *error)
{
	enum status status;
	char *name;

	if (*where == '|')
		return open_command(channel, where + 1, error);
	name = source_is_live(where) ? format("%s", where) : format("tcp:%s", where);
	status = source_open(&channel->source, name, error);
	channel->open = status == STATUS_OK;
	free(name);
	return status;
}

static bool interrupted(const struct channel *channel)
{
	return caught_signal() && !channel->ends;
}

/*
 * Waits until @fd is ready for @events, at most until @end. Returns 1 if it is ready, 0 if the time is over, and -1 if a
 * signal came.
 */
static int wait_for(int fd, short events, double end)
{
	struct pollfd wait = {fd, events, 0};
	double left = end - seconds_now();
	int ready;

	do {
		ready = poll(&wait, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
		left = end - seconds_now();
	} while (ready < 0 && errno == EINTR && !caught_signal());
	return ready;
}

/* The other side has closed the connection, or @failed: an access failed with errno. */
static enum status lost(struct channel *channel, bool failed, struct error *error)
{
	channel->ended = true;
	return error_set(error, STATUS_SYSTEM, "%s%s%s",
		channel->piped ? "has ended; its own messages tell why" : "has closed the connection",
		failed && !channel->piped ? ": " : "", failed && !channel->piped ? strerror(errno) : "");
}

enum status channel_send(struct channel *channel, struct bytes bytes, double seconds, struct error *error)
{
	double end = seconds_now() + seconds;

	channel->asked = seconds_now();
	while (bytes.size) {
		ssize_t n = write(end_out(channel), bytes.data, bytes.size);

		if (n > 0) {
			bytes.data += n;
			bytes.size -= (size_t)n;
			continue;
		}
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return lost(channel, true, error);
		if (interrupted(channel))
			return error_set(error, STATUS_SYSTEM, "was interrupted");
		if (!wait_for(end_out(channel), POLLOUT, end))
			return error_set(error, STATUS_SYSTEM, "took no request for %.0f s", seconds);
	}
	return STATUS_OK;
}

/* Drops the bytes that were taken, and reads more. Returns what read() returns. */
static ssize_t fill(struct channel *channel)
{
	struct buffer *arrived = &channel->arrived;
	ssize_t n;

	if (channel->taken == arrived->size)
		channel->taken = arrived->size = 0;
	buffer_reserve(arrived, WINDOW);
	n = read(end_in(channel), arrived->data + arrived->size, WINDOW);
	if (n > 0)
		arrived->size += (size_t)n;
	return n;
}

bool channel_next(struct channel *channel, uint8_t *byte, double seconds, struct error *error)
{
	double idle;

	/* Most calls end here, so they need no clock. */
	if (channel->taken < channel->arrived.size) {
		*byte = channel->arrived.data[channel->taken++];
		return true;
	}
	idle = seconds_now() + seconds;
	if (!channel->asked)
		channel->asked = seconds_now();
	for (;;) {
		double end = channel->asked + seconds;
		ssize_t n = fill(channel);

		if (n > 0) {
			channel->asked += (double)n * SECONDS_PER_BYTE;
			break;
		}
		if (!n || (errno != EAGAIN && errno != EINTR)) {
			lost(channel, n < 0, error);
			return false;
		}
		if (interrupted(channel)) {
			error_set(error, STATUS_SYSTEM, "was interrupted");
			return false;
		}
		if (!wait_for(end_in(channel), POLLIN, end < idle ? end : idle)) {
			error_set(error, STATUS_SYSTEM, "did not answer completely within %.0f s", seconds);
			return false;
		}
	}
	*byte = channel->arrived.data[channel->taken++];
	return true;
}

void channel_close(struct channel *channel)
{
	if (channel->open && channel->piped)
		child_stop(&channel->child);
	else if (channel->open)
		source_close(&channel->source);
	buffer_free(&channel->arrived);
	*channel = (struct channel){0};
}
